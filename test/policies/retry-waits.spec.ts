import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AgentEvents, type ToolRetryPolicy } from 'nestjs-agent-tools';
import { sleep } from '../loop/support/time.js';
import { start } from './support/start.js';
import { counting, failing, toolOf, type Work } from './support/tool-of.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const readTool = (retry: ToolRetryPolicy, work: Work, timeout?: number) =>
  toolOf({ effect: 'read', retry, timeout }, work);

const realSetTimeout = globalThis.setTimeout;

/** Where the waits are what is measured, nobody needs to wait. */
function skipWaits(): void {
  const skip = (run: (...args: unknown[]) => void, ms: number, ...args: unknown[]) =>
    realSetTimeout(run, ms >= 29_000 ? ms : 0, ...args);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(skip as typeof setTimeout);
}

describe('the wait before an attempt', () => {
  async function waitsOf(retry: ToolRetryPolicy): Promise<number[]> {
    const work = counting(failing(new Error('busy')));
    const { app, call } = await start({ providers: [readTool(retry, work)] });
    const waits: number[] = [];
    app.get(AgentEvents).subscribe((event) => {
      if (event.type === 'tool-retried') waits.push(event.delay);
    });
    skipWaits();
    await call('work');
    expect(work.count).toBe(retry.times + 1);
    return waits;
  }

  it('grows twofold, with jitter of up to a half, to no more than `maxDelay`', async () => {
    const waits = await waitsOf({ times: 10, delay: 100, maxDelay: 3_000 });
    expect(waits).toHaveLength(10);
    waits.forEach((wait, index) => {
      const longest = Math.min(3_000, 100 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(longest);
      expect(wait).toBeGreaterThanOrEqual(longest / 2 - 1);
    });
  });

  it('differs from call to call', async () => {
    const waits = await Promise.all([1, 2, 3].map(() => waitsOf({ times: 3, delay: 1_000 })));
    expect(new Set(waits.flat()).size).toBeGreaterThan(3);
  });

  it('is 200 ms and 5,000 ms at most if nothing is said', async () => {
    const waits = await waitsOf({ times: 10 });
    expect(waits[0]).toBeLessThanOrEqual(200);
    expect(waits[0]).toBeGreaterThanOrEqual(100);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(waits[9]).toBeGreaterThanOrEqual(2_500);
  });

  it('is waited for', async () => {
    const times: number[] = [];
    const work = () => {
      times.push(performance.now());
      throw new Error('busy');
    };
    const { call } = await start({ providers: [readTool({ times: 1, delay: 60 }, work)] });
    await call('work');
    expect(times[1] - times[0]).toBeGreaterThanOrEqual(28);
  });
});

describe('no attempt begins', () => {
  const SLOW = { times: 5, delay: 40, maxDelay: 40 };

  it('after the call has timed out', async () => {
    const work = counting(failing(new Error('busy')));
    const { call } = await start({ providers: [readTool(SLOW, work, 10)] });
    expect((await call('work')).content).toContain('timed out');
    await sleep(80);
    expect(work.count).toBe(1);
  });

  it('after an attempt that fails when the call has timed out', async () => {
    const work = counting(async () => {
      await sleep(20);
      throw new Error('busy');
    });
    const { call } = await start({ providers: [readTool({ times: 5, delay: 0 }, work, 10)] });
    expect((await call('work')).content).toContain('timed out');
    await sleep(50);
    expect(work.count).toBe(1);
  });

  it('after the signal of the caller', async () => {
    const work = counting(failing(new Error('busy')));
    const { call } = await start({ providers: [readTool(SLOW, work)] });
    const { status, duration } = await call('work', {}, { signal: AbortSignal.timeout(10) });
    expect(status).toBe('interrupted');
    expect(work.count).toBe(1);
    await sleep(80);
    expect(work.count).toBe(1);
    // Nothing is running that could need time to end.
    expect(duration).toBeLessThan(500);
  });

  it('after its run was aborted', async () => {
    const work = counting(failing(new Error('busy')));
    const { run } = await start({ providers: [readTool(SLOW, work)] });
    const { status, steps } = await run([{ tool: 'work' }], { limits: { timeout: 10 } });
    expect(status).toBe('aborted');
    expect(steps[0].toolResults.map((result) => result.status)).toEqual(['interrupted']);
    await sleep(80);
    expect(work.count).toBe(1);
  });
});
