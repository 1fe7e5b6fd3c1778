import { describe, expect, it } from '@jest/globals';
import { UseGuards } from '@nestjs/common';
import type { ToolConcurrency, ToolPolicy } from 'nestjs-agent-tools';
import { sleep } from '../loop/support/time.js';
import { Held, turns } from './support/held.js';
import { start } from './support/start.js';
import { counting, toolOf } from './support/tool-of.js';

async function startHeld(concurrency: ToolConcurrency, policy: ToolPolicy = {}) {
  const held = new Held();
  const provider = toolOf({ concurrency, ...policy }, held.work);
  return { held, ...(await start({ providers: [provider] })) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a tool with a limit', () => {
  it('runs no more calls at the same time, the others in the order in which they came', async () => {
    const { held, call } = await startHeld(3);
    const results = numbers(10).map((n) => call('work', { n }));
    await turns();
    expect(held.begun).toEqual([0, 1, 2]);
    await held.release(1);
    expect(held.begun).toEqual([0, 1, 2, 3]);
    await held.releaseAll();
    expect(held.begun).toEqual(numbers(10));
    expect(held.most).toBe(3);
    expect((await Promise.all(results)).map(({ value }) => value)).toEqual(numbers(10));
  });

  it('shares it between runs, agents and code', async () => {
    const { held, call, run } = await startHeld(2);
    const twice = [{ tool: 'work' }, { tool: 'work' }];
    const runs = [run([twice, 'Done.']), run([twice, 'Done.'])];
    const own = call('work');
    await turns();
    expect(held.now).toBe(2);
    await held.releaseAll();
    const ended = await Promise.all(runs);
    expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect((await own).status).toBe('success');
    expect([held.most, held.begun.length]).toEqual([2, 5]);
  });

  it('keeps the place of a call until its last attempt', async () => {
    const seen: string[] = [];
    const provider = toolOf(
      { effect: 'read', retry: { times: 2, delay: 2 }, concurrency: 1 },
      ({ n }, { attempt }) => {
        seen.push(`${n}.${attempt}`);
        throw new Error('busy');
      },
    );
    const { call } = await start({ providers: [provider] });
    await Promise.all([call('work', { n: 1 }), call('work', { n: 2 })]);
    expect(seen).toEqual(['1.1', '1.2', '1.3', '2.1', '2.2', '2.3']);
  });

  it('gives the place of a call that failed, was denied or timed out to the next', async () => {
    const work = counting(({ n }) => {
      if (n === 1) throw new Error('no');
      return n === 2 ? new Promise(() => undefined) : 'done';
    });
    const provider = toolOf({ concurrency: 1, timeout: 20 }, work);
    let asked = 0;
    UseGuards({ canActivate: () => ++asked !== 3 })(provider);
    const { call } = await start({ providers: [provider] });
    const results = [];
    for (const n of [1, 2, 3, 4]) results.push(await call('work', { n }));
    expect(results.map(({ status }) => status)).toEqual(['error', 'error', 'denied', 'success']);
    expect(work.count).toBe(3);
  });
});

describe('when the queue is full', () => {
  it.each([0, 1, 4])('of %i, a call is an error result at once', async (queue) => {
    const { held, call } = await startHeld({ limit: 1, queue });
    const accepted = numbers(1 + queue).map((n) => call('work', { n }));
    const { status, content, duration } = await call('work', { n: 99 });
    expect(status).toBe('error');
    expect(content).toBe(
      '"work" is busy: too many calls are running and waiting. Try again later.',
    );
    expect(duration).toBeLessThan(50);
    await held.releaseAll();
    expect((await Promise.all(accepted)).map(({ status: each }) => each)).toEqual(
      Array(1 + queue).fill('success'),
    );
    expect(held.begun).not.toContain(99);
  });

  it('a hundred calls wait if nothing is said', async () => {
    const { held, call } = await startHeld(1);
    const results = numbers(103).map((n) => call('work', { n }));
    await turns();
    await held.releaseAll();
    const statuses = (await Promise.all(results)).map(({ status }) => status);
    expect(statuses).toEqual([...Array<string>(101).fill('success'), 'error', 'error']);
    expect(held.begun).toHaveLength(101);
  });

  it('is not a reason to repeat a call', async () => {
    const held = new Held();
    const options = { retry: { times: 5, delay: 1 }, concurrency: { limit: 1, queue: 0 } };
    const { call } = await start({
      providers: [toolOf({ effect: 'read', ...options }, held.work)],
    });
    const first = call('work', { n: 1 });
    expect((await call('work', { n: 2 })).content).toContain('busy');
    await sleep(10);
    await held.releaseAll();
    expect((await first).status).toBe('success');
    expect(held.begun).toEqual([1]);
  });
});

describe('a call that waits', () => {
  it('leaves the queue when it times out', async () => {
    const { held, call } = await startHeld({ limit: 1, queue: 1 }, { timeout: 40 });
    const first = call('work', { n: 1 });
    await sleep(20);
    const second = call('work', { n: 2 });
    await first;
    // The first one timed out, so the second one works; a third may wait.
    await sleep(1);
    expect(held.begun).toEqual([1, 2]);
    const third = call('work', { n: 3 });
    expect((await call('work', { n: 4 })).content).toContain('busy');
    expect((await second).content).toContain('timed out');
    expect((await third).content).toContain('timed out');
    const fifth = call('work', { n: 5 });
    await turns();
    await held.releaseAll();
    expect((await fifth).value).toBe(5);
    expect(held.begun).not.toContain(4);
  });

  it('leaves the queue at once when its caller aborts it', async () => {
    const { held, call } = await startHeld({ limit: 1, queue: 1 });
    const first = call('work', { n: 1 });
    const leaving = new AbortController();
    const second = call('work', { n: 2 }, { signal: leaving.signal });
    await turns();
    leaving.abort();
    const third = call('work', { n: 3 });
    await turns();
    await held.releaseAll();
    expect((await third).status).toBe('success');
    const { status, duration } = await second;
    expect(status).toBe('interrupted');
    expect(duration).toBeLessThan(500);
    expect((await first).status).toBe('success');
    expect(held.begun).toEqual([1, 3]);
  });

  it('is not begun when its turn comes after an abort: nobody is asked', async () => {
    const held = new Held();
    const provider = toolOf({ concurrency: 1, approve: () => Boolean(++asked) }, held.work);
    let guarded = 0;
    let asked = 0;
    UseGuards({ canActivate: () => Boolean(++guarded) })(provider);
    const { call } = await start({ providers: [provider] });
    const first = call('work', { n: 1 });
    const leaving = new AbortController();
    const second = call('work', { n: 2 }, { signal: leaving.signal });
    await turns();
    leaving.abort();
    await held.release();
    expect((await second).status).toBe('interrupted');
    await first;
    expect(held.begun).toEqual([1]);
    expect({ guarded, asked }).toEqual({ guarded: 1, asked: 1 });
  });

  it('ends with its run, and the others get their turn', async () => {
    const { held, call, run } = await startHeld(1);
    const first = call('work', { n: 1 });
    await turns();
    const ended = run([{ tool: 'work', arguments: { n: 2 } }], { limits: { timeout: 20 } });
    await turns();
    const third = call('work', { n: 3 });
    expect((await ended).status).toBe('aborted');
    await held.releaseAll();
    await first;
    await held.releaseAll();
    expect((await third).status).toBe('success');
    expect(held.begun).toEqual([1, 3]);
  });
});

describe('`parallel: false`', () => {
  it('is a barrier: what was before ends, it runs alone, the rest follows', async () => {
    const log: string[] = [];
    const logged = (name: string) => async () => {
      log.push(`+${name}`);
      await sleep(3);
      log.push(`-${name}`);
    };
    const { step } = await start({
      providers: [
        toolOf({ name: 'side' }, logged('side')),
        toolOf({ name: 'alone', parallel: false }, logged('alone')),
      ],
    });
    const [side, alone] = [{ tool: 'side' }, { tool: 'alone' }];
    const results = await step([side, side, alone, alone, side, side]);
    expect(results.map(({ name }) => name)).toEqual([
      'side',
      'side',
      'alone',
      'alone',
      'side',
      'side',
    ]);
    const pair = ['+side', '+side', '-side', '-side'];
    const one = ['+alone', '-alone'];
    expect(log).toEqual([...pair, ...one, ...one, ...pair]);
  });

  it('does not hinder calls of other runs', async () => {
    const held = new Held();
    const { run } = await start({ providers: [toolOf({ parallel: false }, held.work)] });
    const runs = [1, 2].map((n) => run([{ tool: 'work', arguments: { n } }, 'Done.']));
    await turns();
    expect(held.now).toBe(2);
    await held.releaseAll();
    await Promise.all(runs);
  });
});
