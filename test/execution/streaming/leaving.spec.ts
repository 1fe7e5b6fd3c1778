/** However a stream is left, its source is ended, once, at once, and nothing of it is told any more. */
import { describe, expect, it } from '@jest/globals';
import { retry, take, tap } from 'rxjs';
import { only, readAll } from '../../loop/support/events.js';
import { gate, idle, sleep } from '../../loop/support/time.js';
import { ENDLESS, letters } from './sources.js';
import { intercepting, PLACES, SOON, start, timed, watch, type WatchOptions } from './watch.js';

/** Longer than any of the sources needs for its next value. */
const LATER = 30;

const CASES = ENDLESS.flatMap(([form, make]) =>
  PLACES.map(([place, options]) => [`${form} ${place}`, make, options] as const),
);

describe.each(CASES)('%s is ended', (_form, make, options) => {
  it('when the consumer leaves', async () => {
    const source = make();
    const { agent } = await start(() => source.open(), options);
    const stream = agent.stream('Go.');
    const seen: unknown[] = [];
    const { took } = await timed(async () => {
      for await (const event of stream) {
        if (event.type !== 'tool-progress') continue;
        seen.push(event.value);
        if (seen.length === 3) break;
      }
    });
    expect(seen).toEqual([1, 2, 3]);
    expect((await stream.result).status).toBe('aborted');
    await expectEnded(source, took);
  });

  it('when the run is aborted', async () => {
    const source = make();
    const { agent } = await start(() => source.open(), options);
    const controller = new AbortController();
    const stream = agent.stream('Go.', { signal: controller.signal });
    let atAbort = Infinity;
    const later: unknown[] = [];
    const { took } = await timed(async () => {
      for await (const event of stream) {
        if (event.type !== 'tool-progress') continue;
        if (event.value === 2) {
          controller.abort();
          atAbort = source.made.length;
        }
        if ((event.value as number) > atAbort) later.push(event.value);
      }
    });
    const { steps, status } = await stream.result;
    expect(status).toBe('aborted');
    expect(steps[0].toolResults).toMatchObject([{ status: 'interrupted' }]);
    expect(later).toEqual([]);
    await expectEnded(source, took);
  });

  it('when its time is over', async () => {
    const source = make();
    const { progress, result } = await watch(() => source.open(), { ...options, timeout: 100 });
    expect(result.content).toBe('"watch" timed out after 100 ms.');
    expect(progress.length).toBeGreaterThan(1);
    await expectEnded(source, result.duration);
  });

  it('when an interceptor has enough', async () => {
    const source = make();
    const interceptors = [...(options.interceptors ?? []), intercepting(take(3))];
    const { progress, result } = await watch(() => source.open(), { interceptors });
    expect(progress).toEqual([1, 2, 3]);
    expect(result).toMatchObject({ status: 'success', value: 3 });
    await expectEnded(source, result.duration);
  });

  it('when an interceptor fails at a value', async () => {
    const source = make();
    const failing = tap((value) => {
      if (value === 2) throw new Error('enough');
    });
    const interceptors = [...(options.interceptors ?? []), intercepting(failing)];
    const { progress, result } = await watch(() => source.open(), { interceptors });
    expect(result).toMatchObject({ status: 'error', error: { message: 'enough' } });
    expect(progress).toEqual([1]);
    await expectEnded(source, result.duration);
  });

  it('when the signal of execute() aborts', async () => {
    const source = make();
    const { executor } = await start(() => source.open(), options);
    const controller = new AbortController();
    const running = executor.execute('watch', {}, { signal: controller.signal });
    await sleep(10);
    const { value, took } = await timed(() => {
      controller.abort();
      return running;
    });
    expect(value.status).toBe('interrupted');
    await expectEnded(source, took);
  });

  async function expectEnded(source: ReturnType<typeof make>, took: number): Promise<void> {
    expect(took).toBeLessThan(SOON);
    await sleep(LATER);
    expect(source.ended).toHaveLength(1);
    const made = source.made.length;
    await sleep(LATER);
    expect(source.made).toHaveLength(made);
    expect(source.ended).toHaveLength(1);
  }
});

describe('rxjs retry', () => {
  it.each(ENDLESS)('ends each attempt of %s before the next', async (_form, make) => {
    const attempts: ReturnType<typeof make>[] = [];
    const open = () => {
      const source = make();
      attempts.push(source);
      return source.open();
    };
    const failing = tap((value) => {
      if (value === 2) throw new Error(`attempt ${attempts.length}`);
    });
    const { progress, result } = await watch(open, {
      interceptors: [intercepting(retry(2)), intercepting(failing)],
    });
    expect(result).toMatchObject({ status: 'error', error: { message: 'attempt 3' } });
    expect(progress).toEqual([1, 1, 1]);
    await sleep(LATER);
    expect(attempts.map(({ ended }) => ended.length)).toEqual([1, 1, 1]);
  });

  it('takes the result of the attempt that ended well', async () => {
    let runs = 0;
    const { progress, result } = await watch(
      async function* () {
        yield* letters();
        if (++runs === 1) throw new Error('once');
        return 'well';
      },
      { interceptors: [intercepting(retry(1))] },
    );
    expect(progress).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(result.value).toBe('well');
  });
});

describe('an abort', () => {
  const waiting = () => {
    const opened = gate();
    async function* open() {
      opened.open();
      yield await new Promise(() => undefined);
    }
    return { open, opened: opened.opened };
  };

  it('is no error that interceptors see', async () => {
    const seen: unknown[] = [];
    const noting = tap({ error: (error) => seen.push(error) });
    const { open, opened } = waiting();
    const { result } = await abortOnce(opened, open, { interceptors: [intercepting(noting)] });
    expect(result.status).toBe('interrupted');
    expect(seen).toEqual([]);
  });

  it('is interrupted, even if a filter has an answer to everything', async () => {
    const { open, opened } = waiting();
    const { result } = await abortOnce(opened, open, { filters: [{ catch: () => 'filtered' }] });
    expect(result).toMatchObject({ status: 'interrupted', value: undefined });
  });
});

async function abortOnce(opened: Promise<void>, open: () => unknown, options: WatchOptions) {
  const { agent } = await start(open, options);
  const controller = new AbortController();
  const reading = readAll(agent.stream('Go.', { signal: controller.signal }));
  await opened;
  await idle();
  controller.abort();
  const { events } = await reading;
  return { result: only(events, 'tool-result')[0] };
}
