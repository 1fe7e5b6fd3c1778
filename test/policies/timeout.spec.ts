import { describe, expect, it } from '@jest/globals';
import type { ToolCall } from 'nestjs-agent-tools';
import { aborted, sleep } from '../loop/support/time.js';
import { start } from './support/start.js';
import { counting, failing, toolOf } from './support/tool-of.js';

describe('when a call takes too long', () => {
  it('is an error result in time, and its signal aborts with a TimeoutError', async () => {
    let reason: unknown;
    const work = async (_input: unknown, { signal }: ToolCall) => {
      reason = await aborted(signal);
    };
    const { call } = await start({ providers: [toolOf({ timeout: 30 }, work)] });
    const { status, content, duration } = await call('work');
    expect({ status, content }).toEqual({
      status: 'error',
      content: '"work" timed out after 30 ms.',
    });
    expect(duration).toBeGreaterThanOrEqual(28);
    expect(duration).toBeLessThan(300);
    expect(reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts a signal that is asked for later', async () => {
    let given: ToolCall | undefined;
    const work = (_input: unknown, call: ToolCall) => {
      given = call;
      return new Promise(() => undefined);
    };
    const { call } = await start({ providers: [toolOf({ timeout: 5 }, work)] });
    expect((await call('work')).status).toBe('error');
    expect(given?.signal.aborted).toBe(true);
  });

  it('does not touch the calls beside it', async () => {
    const signals: AbortSignal[] = [];
    const slow = toolOf({ name: 'slow', timeout: 10 }, () => new Promise(() => undefined));
    const quick = toolOf({ name: 'quick' }, async (_input, { signal }) => {
      signals.push(signal);
      await sleep(30);
      return 'done';
    });
    const { step } = await start({ providers: [slow, quick] });
    const results = await step([{ tool: 'quick' }, { tool: 'slow' }, { tool: 'quick' }]);
    expect(results.map(({ status }) => status)).toEqual(['success', 'error', 'success']);
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
  });

  it('goes on with the run, and what the method returns later is nobody’s', async () => {
    const work = async () => {
      await sleep(20);
      return 'late';
    };
    const { run } = await start({ providers: [toolOf({ timeout: 5 }, work)] });
    const { status, messages } = await run([
      { tool: 'work' },
      () => ({ text: 'It took too long.' }),
    ]);
    await sleep(30);
    expect(status).toBe('completed');
    expect(JSON.stringify(messages)).not.toContain('late"');
  });
});

describe('the time of a call', () => {
  it('counts what it waits for its place', async () => {
    const work = counting(() => sleep(60));
    const { call } = await start({ providers: [toolOf({ concurrency: 1, timeout: 80 }, work)] });
    const [first, second, third] = await Promise.all([call('work'), call('work'), call('work')]);
    expect(first.status).toBe('success');
    expect(second.content).toBe('"work" timed out after 80 ms.');
    // Its place comes too late.
    expect(third.content).toBe('"work" timed out after 80 ms.');
    expect(third.duration).toBeLessThan(130);
    await sleep(60);
    expect(work.count).toBeLessThanOrEqual(3);
  });

  it('counts all attempts, and what lies between them', async () => {
    const work = counting(async () => {
      await sleep(20);
      throw new Error('busy');
    });
    const policy = { timeout: 70, retry: { times: 10, delay: 10, maxDelay: 10 } };
    const { call } = await start({ providers: [toolOf({ effect: 'read', ...policy }, work)] });
    const { content, duration } = await call('work');
    expect(content).toBe('"work" timed out after 70 ms.');
    expect(duration).toBeLessThan(200);
    expect(work.count).toBeGreaterThan(1);
    expect(work.count).toBeLessThan(5);
  });

  it('ends a call between two attempts', async () => {
    const work = counting(failing(new Error('busy')));
    const policy = { timeout: 20, retry: { times: 1, delay: 3_600_000, maxDelay: 3_600_000 } };
    const { call } = await start({ providers: [toolOf({ effect: 'read', ...policy }, work)] });
    expect((await call('work')).content).toBe('"work" timed out after 20 ms.');
    expect(work.count).toBe(1);
  });

  it('is one hour at most, which a call may have', async () => {
    const { call } = await start({ providers: [toolOf({ timeout: 3_600_000 }, () => sleep(5))] });
    expect((await call('work')).status).toBe('success');
  });
});
