/** Sources that do not answer, clean up badly or come too late. */
import { describe, expect, it } from '@jest/globals';
import { interval, NEVER, Observable, take, takeUntil, tap, throwError, timer } from 'rxjs';
import { only } from '../../loop/support/events.js';
import { gate, idle, sleep } from '../../loop/support/time.js';
import { openReadable } from './sources.js';
import { intercepting, PLACES, SOON, start, timed, watch } from './watch.js';

const LATER = 30;

describe('a source that does not answer', () => {
  /** What `next` never settles of. */
  const silent = (leave?: () => Promise<IteratorResult<unknown>>) => () => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), return: leave }),
  });
  const SILENT: [string, () => unknown][] = [
    ['an async iterable', silent()],
    ['an async iterable whose return() never settles', silent(() => new Promise(() => undefined))],
    [
      'an async generator',
      async function* () {
        yield await new Promise(() => undefined);
      },
    ],
    ['an Observable', () => NEVER],
  ];

  it.each(SILENT)('%s is left at its timeout', async (_form, open) => {
    const { result } = await watch(open, { timeout: 20 });
    expect(result.content).toContain('timed out after 20 ms');
    expect(result.duration).toBeLessThan(SOON);
  });

  it.each(SILENT)('%s is left when its run is aborted', async (_form, open) => {
    const opened = gate();
    const { agent } = await start(() => {
      opened.open();
      return open();
    });
    const controller = new AbortController();
    const running = agent.run('Go.', { signal: controller.signal });
    await opened.opened;
    await idle();
    const { value, took } = await timed(() => {
      controller.abort();
      return running;
    });
    expect(value.steps[0].toolResults).toMatchObject([{ status: 'interrupted' }]);
    expect(took).toBeLessThan(SOON);
  });
});

describe('a clean-up that fails', () => {
  const next = () => sleep(1).then(() => ({ done: false, value: 1 }));
  const CLEAN_UPS: [string, () => unknown][] = [
    [
      'return() rejects',
      () => ({
        [Symbol.asyncIterator]: () => ({ next, return: () => Promise.reject(new Error('no')) }),
      }),
    ],
    [
      'return() throws',
      () => ({
        [Symbol.asyncIterator]: () => ({
          next,
          return: () => {
            throw new Error('no');
          },
        }),
      }),
    ],
    [
      'finally throws',
      async function* () {
        try {
          for (;;) {
            await next();
            yield 1;
          }
        } finally {
          // oxlint-disable-next-line no-unsafe-finally
          throw new Error('no');
        }
      },
    ],
    [
      'the value that was awaited rejects afterwards',
      async function* () {
        yield 1;
        await sleep(150);
        throw new Error('no');
      },
    ],
  ];

  it.each(CLEAN_UPS)('is not the outcome of the call: %s', async (_what, open) => {
    const taken = await watch(open, { interceptors: [intercepting(take(1))] });
    expect(taken.result).toMatchObject({ status: 'success', value: 1 });
    const timedOut = await watch(open, { timeout: 10 });
    expect(timedOut.result.content).toContain('timed out');
    // An unhandled rejection would fail the suite.
    await sleep(200);
  });
});

describe('a call that ends while its method is still at work', () => {
  it('never starts what the method returns too late', async () => {
    const begun: string[] = [];
    const late = new Observable(() => {
      begun.push('subscribed');
    });
    const { opened, open } = gate();
    const { result } = await watch(() => opened.then(() => late), {
      timeout: 5,
      interceptors: [intercepting(tap())],
    });
    expect(result.content).toContain('timed out');
    open();
    await sleep(LATER);
    expect(begun).toEqual([]);
  });

  it.each(PLACES)('closes what the method opened %s and returns too late', async (_at, options) => {
    const { readable, closed } = openReadable();
    const { opened, open } = gate();
    const { result } = await watch(() => opened.then(() => readable), { ...options, timeout: 5 });
    expect(result.content).toContain('timed out');
    open();
    await sleep(LATER);
    expect(closed).toEqual(['closed']);
  });
});

describe('an interceptor that ends the stream', () => {
  it('with a timeout of its own, is answered as usual', async () => {
    const { progress, result } = await watch(() => interval(1), {
      interceptors: [intercepting(takeUntil(timer(100)))],
    });
    expect(result.status).toBe('success');
    expect(progress.length).toBeGreaterThan(1);
    expect(result.value).toBe(progress.at(-1));
  });

  it('with an error, is told without progress', async () => {
    const { events, result } = await watch(() => throwError(() => new Error('no')));
    expect(only(events, 'tool-progress')).toEqual([]);
    expect(result).toMatchObject({ status: 'error', error: { message: 'no' } });
  });
});
