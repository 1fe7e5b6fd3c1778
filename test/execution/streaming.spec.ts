/** Tools that return more than one value: each is told while the tool runs, and one is the result. */
import { describe, expect, it, jest } from '@jest/globals';
import { Catch, type ExceptionFilter } from '@nestjs/common';
import { catchError, concatMap, EMPTY, filter, from, map, of, toArray } from 'rxjs';
import { z } from 'zod';
import { only } from '../loop/support/events.js';
import { sleep } from '../loop/support/time.js';
import { bareIterable, FORMS, LETTERS, letters } from './streaming/sources.js';
import { intercepting, start, watch } from './streaming/watch.js';

describe.each(FORMS)('when a method returns %s', (_form, open) => {
  it('each value is told in its order, before the result, which is the last', async () => {
    const { progress, result, events } = await watch(open);
    expect(progress).toEqual(LETTERS);
    expect(result).toMatchObject({ status: 'success', value: 'c', content: 'c' });
    const types = events.map(({ type }) => type);
    const [first, end] = [types.indexOf('tool-call') + 1, types.indexOf('tool-result')];
    expect(types.slice(first, end)).toEqual(LETTERS.map(() => 'tool-progress'));
    const [{ callId }] = only(events, 'tool-call');
    expect(only(events, 'tool-progress')).toMatchObject(
      LETTERS.map((value) => ({ callId, name: 'watch', step: 1, value })),
    );
  });

  it('interceptors see each value', async () => {
    const seen: unknown[] = [];
    const upper = map((value) => (value as string).toUpperCase());
    const noting = map((value) => {
      seen.push(value);
      return value;
    });
    const { progress, result } = await watch(open, {
      interceptors: [intercepting(upper), intercepting(noting)],
    });
    expect(seen).toEqual(LETTERS);
    expect(progress).toEqual(['A', 'B', 'C']);
    expect(result.value).toBe('C');
  });

  it('an asynchronous interceptor sees each value, too', async () => {
    const { progress, result } = await watch(open, {
      interceptors: [
        {
          intercept: async (_context, next) => {
            await sleep(1);
            return next.handle().pipe(map((value) => `${value}!`));
          },
        },
      ],
    });
    expect(progress).toEqual(['a!', 'b!', 'c!']);
    expect(result.value).toBe('c!');
  });

  it('run() and execute() have the same result without an observer', async () => {
    const { agent, executor } = await start(open);
    const { steps } = await agent.run('Go.');
    expect(steps[0].toolResults).toMatchObject([{ status: 'success', value: 'c' }]);
    expect(await executor.execute('watch', {})).toMatchObject({ status: 'success', value: 'c' });
  });

  it('the model is told the result and nothing of the values before it', async () => {
    const { model } = await watch(open);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1].messages.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ type: 'tool-result', content: 'c' }],
    });
    expect(JSON.stringify(model.requests)).not.toMatch(/"[ab]"/);
  });
});

describe('what a generator returns', () => {
  async function* returning() {
    yield await Promise.resolve('halfway');
    return 'sum';
  }

  it('is the result, and no progress', async () => {
    const { progress, result } = await watch(returning);
    expect(progress).toEqual(['halfway']);
    expect(result.value).toBe('sum');
  });

  it('goes through interceptors', async () => {
    const { progress, result } = await watch(returning, {
      interceptors: [intercepting(map((value) => `<${String(value)}>`))],
    });
    expect(progress).toEqual(['<halfway>']);
    expect(result.value).toBe('<sum>');
  });

  it('is no progress either if an interceptor takes its time with it', async () => {
    const { progress, result } = await watch(returning, {
      interceptors: [
        intercepting(concatMap(async (value) => Promise.resolve(`<${String(value)}>`))),
      ],
    });
    expect(result.value).toBe('<sum>');
    expect(progress).toEqual(['<halfway>']);
  });

  it.each([[null], [0], [''], [false]])('counts also if it is %p', async (returned) => {
    const { progress, result } = await watch(function* () {
      yield 'halfway';
      return returned;
    });
    expect(progress).toEqual(['halfway']);
    expect(result.value).toBe(returned);
  });
});

describe('a source without a value', () => {
  it.each<[string, () => unknown]>([
    ['a generator', function* () {}],
    ['an async generator', async function* () {}],
    ['an async iterable', () => bareIterable([])],
  ])('that is %s is a success', async (_form, open) => {
    for (const interceptors of [[], [intercepting(map((value) => value))]]) {
      const { progress, result } = await watch(open, { interceptors });
      expect(progress).toEqual([]);
      expect(result).toMatchObject({ status: 'success', content: 'Success', value: undefined });
    }
  });

  it('that is an Observable is an error, as in Nest', async () => {
    for (const interceptors of [[], [intercepting(map((value) => value))]]) {
      const { progress, result } = await watch(() => EMPTY, { interceptors });
      expect(progress).toEqual([]);
      expect(result).toMatchObject({ status: 'error', error: { name: 'EmptyError' } });
    }
  });

  it('that lost them to an interceptor is a success for a generator only', async () => {
    const interceptors = [intercepting(filter(() => false))];
    const generated = await watch(letters, { interceptors });
    expect(generated).toMatchObject({ progress: [], result: { status: 'success' } });
    const observed = await watch(() => from(LETTERS), { interceptors });
    expect(observed).toMatchObject({ progress: [], result: { status: 'error' } });
  });

  it('of several yields the last counts, undefined too', async () => {
    const { progress, result } = await watch(function* () {
      yield 'a';
      yield undefined;
    });
    expect(progress).toEqual(['a', undefined]);
    expect(result).toMatchObject({ status: 'success', value: undefined });
  });
});

@Catch()
class Answer implements ExceptionFilter {
  catch(error: Error) {
    return `filtered: ${error.message}`;
  }
}

describe('a source that fails after a value', () => {
  const FAILING: [string, () => unknown][] = [
    [
      'an async generator',
      async function* () {
        yield await Promise.resolve('a');
        throw new Error('late');
      },
    ],
    [
      'a generator',
      function* () {
        yield 'a';
        throw new Error('late');
      },
    ],
    [
      'an Observable',
      () =>
        from(['a', 'b']).pipe(
          map((value) => {
            if (value === 'b') throw new Error('late');
            return value;
          }),
        ),
    ],
  ];

  it.each(FAILING)('%s, is an error after its progress', async (_form, open) => {
    const { progress, result } = await watch(open);
    expect(progress).toEqual(['a']);
    expect(result).toMatchObject({ status: 'error', error: { message: 'late' } });
  });

  it.each(FAILING)('%s, is answered by a filter', async (_form, open) => {
    for (const interceptors of [[], [intercepting(map((value) => value))]]) {
      const { progress, result } = await watch(open, { interceptors, filters: [new Answer()] });
      expect(progress).toEqual(['a']);
      expect(result).toMatchObject({ status: 'success', value: 'filtered: late' });
    }
  });

  it.each(FAILING)('%s, is caught by an interceptor', async (_form, open) => {
    const catching = catchError((error: Error) => of(`caught: ${error.message}`));
    const { result } = await watch(open, {
      interceptors: [intercepting(catching)],
      filters: [new Answer()],
    });
    expect(result).toMatchObject({ status: 'success', value: 'caught: late' });
  });

  it.each(FAILING)('%s, is repeated by its retry policy', async (_form, open) => {
    let runs = 0;
    const { progress, result } = await watch(
      () => {
        runs++;
        return runs === 1 ? open() : from(LETTERS);
      },
      { tool: { idempotent: true, retry: { times: 1, delay: 1 } } },
    );
    expect(runs).toBe(2);
    expect(progress).toEqual(['a', 'a', 'b', 'c']);
    expect(result.value).toBe('c');
  });
});

describe('what an interceptor makes of a stream', () => {
  it('is the result: here the list of all values', async () => {
    const { result } = await watch(letters, { interceptors: [intercepting(toArray())] });
    expect(result.value).toEqual(LETTERS);
  });

  it('that never asks for it is no stream', async () => {
    let runs = 0;
    const { progress, result } = await watch(() => runs++, {
      interceptors: [{ intercept: () => of('cached', 'twice') }],
    });
    expect(runs).toBe(0);
    expect(progress).toEqual([]);
    expect(result.value).toBe('twice');
  });
});

describe('call.progress()', () => {
  it('and yields are told in the order in which they happen', async () => {
    const { progress, result } = await watch(async function* (call) {
      call.progress(1);
      yield await Promise.resolve(2);
      call.progress(3);
      await sleep(1);
      call.progress(4);
      yield 5;
      call.progress(6);
      return 7;
    });
    expect(progress).toEqual([1, 2, 3, 4, 5, 6]);
    expect(result.value).toBe(7);
  });
});

describe('an outputSchema', () => {
  const tool = { outputSchema: z.object({ total: z.number() }) };

  it('is checked on the result only', async () => {
    const { progress, result } = await watch(
      function* () {
        yield 'halfway';
        return { total: 3 };
      },
      { tool },
    );
    expect(progress).toEqual(['halfway']);
    expect(result).toMatchObject({ status: 'success', value: { total: 3 } });
  });

  it('refuses a result that it does not describe', async () => {
    const { progress, result } = await watch(() => from([{ total: 1 }, { total: 'three' }]), {
      tool,
    });
    expect(progress).toHaveLength(2);
    expect(result).toMatchObject({ status: 'error', value: undefined });
  });
});

describe('a consumer that takes its time', () => {
  it('gets the values in their order all the same, and does not make the tool wait', async () => {
    const made = jest.fn();
    const { agent } = await start(async function* () {
      for (let count = 0; count < 200; count++) {
        yield await Promise.resolve(count);
      }
      made();
    });
    const seen: unknown[] = [];
    let isMadeAt = -1;
    for await (const event of agent.stream('Go.')) {
      if (event.type !== 'tool-progress') continue;
      seen.push(event.value);
      if (isMadeAt < 0 && made.mock.calls.length > 0) isMadeAt = seen.length;
      if (seen.length % 50 === 0) await sleep(5);
    }
    expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => index));
    expect(isMadeAt).toBeLessThan(200);
    expect(isMadeAt).toBeGreaterThan(0);
  });
});
