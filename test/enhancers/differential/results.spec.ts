import { describe, expect, it } from '@jest/globals';
import {
  catchError,
  concat,
  EMPTY,
  finalize,
  lastValueFrom,
  Observable,
  of,
  take,
  throwError,
} from 'rxjs';
import { filter, interceptor } from './enhancers.js';
import { compareStack, differentRuns, sameRun, type Stack } from './oracle.js';

type Method = NonNullable<Stack['method']>;

const watching: Stack = { interceptors: { method: [interceptor('watching')] } };
const numbers = () => of(1, 2, 3);

describe('when a method returns an Observable', () => {
  it.each<[string, Method]>([
    ['', numbers],
    [' in a promise', () => Promise.resolve(numbers())],
  ])('%s, its last value is the result, and interceptors see every value', async (_how, method) => {
    expect(await sameRun({ method })).toEqual({ trace: ['method hi'], outcome: { value: 3 } });
    expect(await sameRun({ ...watching, method })).toEqual({
      trace: ['> watching', 'method hi', '< watching 1', '< watching 2', '< watching 3'],
      outcome: { value: 3 },
    });
  });

  it('that fails after a value, the error counts', async () => {
    const method = () =>
      concat(
        of(1),
        throwError(() => new Error('late')),
      );
    expect(await sameRun({ method })).toEqual({
      trace: ['method hi'],
      outcome: { error: 'Error: late' },
    });
    expect(await sameRun({ ...watching, method })).toEqual({
      trace: ['> watching', 'method hi', '< watching 1', '! watching Error: late'],
      outcome: { error: 'Error: late' },
    });
  });

  it('of a promise, the promise is awaited, and filters answer for it', async () => {
    expect(await sameRun({ method: () => of(Promise.resolve(3)) })).toEqual({
      trace: ['method hi'],
      outcome: { value: 3 },
    });
    expect(
      await sameRun({
        method: () => of(Promise.reject(new Error('late'))),
        filters: { method: [filter('method', () => 'filtered')] },
      }),
    ).toEqual({
      trace: ['method hi', 'filter method Error: late'],
      outcome: { value: 'filtered' },
    });
  });

  it('without a value, it is an error', async () => {
    const error = 'EmptyErrorImpl: no elements in sequence';
    expect(await sameRun({ method: () => EMPTY })).toEqual({
      trace: ['method hi'],
      outcome: { error },
    });
    expect(await sameRun({ ...watching, method: () => EMPTY })).toEqual({
      trace: ['> watching', 'method hi'],
      outcome: { error },
    });
    expect(
      await sameRun({ interceptors: { method: [interceptor('empty', () => EMPTY)] } }),
    ).toEqual({ trace: ['> empty'], outcome: { error } });
  });

  it('of which an interceptor takes a part, it is unsubscribed from', async () => {
    expect(
      await sameRun({
        interceptors: {
          method: [interceptor('first', (next) => next.handle().pipe(take(1)))],
        },
        method: (_text, journal) => numbers().pipe(finalize(() => journal.record('finalized'))),
      }),
    ).toEqual({ trace: ['> first', 'method hi', '< first 1', 'finalized'], outcome: { value: 1 } });
  });

  it('that gives its values at once, it is told when an interceptor has enough', async () => {
    // One that never ends would block the process if it were not told.
    expect(
      await sameRun({
        interceptors: {
          method: [interceptor('two', (next) => next.handle().pipe(take(2)))],
        },
        method: (_text, journal) =>
          new Observable((subscriber) => {
            let count = 0;
            while (!subscriber.closed && count < 100) subscriber.next(++count);
            journal.record(`made ${count}`);
          }),
      }),
    ).toEqual({
      trace: ['> two', 'method hi', '< two 1', '< two 2', 'made 2'],
      outcome: { value: 2 },
    });
  });
});

// A model cannot read a generator: here it is read to its end, inside of the pipeline, so that
// interceptors and filters cover it. Nest hands the generator itself to the caller, unread.
describe('when a method returns a generator', () => {
  const generators: [string, string, string, Method][] = [
    [
      'an async generator',
      'AsyncGenerator',
      'its last value',
      async function* (_text, journal) {
        journal.record('body');
        yield await Promise.resolve('first');
        yield 'last';
      },
    ],
    [
      'a generator',
      'Generator',
      'its last value',
      function* (_text, journal) {
        journal.record('body');
        yield 'first';
        yield 'last';
      },
    ],
    [
      'an async generator that returns',
      'AsyncGenerator',
      'what it returns',
      async function* (_text, journal) {
        journal.record('body');
        yield await Promise.resolve('first');
        return 'last';
      },
    ],
  ];

  it.each(generators)(
    '%s, the result is no %s but %s, with and without an interceptor',
    async (_kind, tag, _result, method) => {
      expect(await differentRuns({ method })).toMatchObject({
        ours: { trace: ['method hi', 'body'], outcome: { value: 'last' } },
        nest: { trace: ['method hi'], outcome: { value: generatorOf(tag) } },
      });
      expect(await differentRuns({ ...watching, method })).toMatchObject({
        ours: {
          trace: ['> watching', 'method hi', 'body', '< watching first', '< watching last'],
          outcome: { value: 'last' },
        },
        nest: {
          trace: ['> watching', 'method hi', `< watching [object ${tag}]`],
          outcome: { value: generatorOf(tag) },
        },
      });
    },
  );

  it('that fails, interceptors see the error, and else filters', async () => {
    const method: Method = async function* () {
      yield await Promise.resolve('first');
      throw new Error('late');
    };
    const unread = { outcome: { value: generatorOf('AsyncGenerator') } };
    expect(
      await differentRuns({ method, filters: { method: [filter('method', () => 'filtered')] } }),
    ).toMatchObject({
      ours: {
        trace: ['method hi', 'filter method Error: late'],
        outcome: { value: 'filtered' },
      },
      nest: { trace: ['method hi'], ...unread },
    });
    const catching = interceptor('catching', (next) =>
      next.handle().pipe(catchError(() => of('caught'))),
    );
    expect(await differentRuns({ method, interceptors: { method: [catching] } })).toMatchObject({
      ours: { outcome: { value: 'caught' } },
      nest: unread,
    });
  });
});

function generatorOf(tag: string): unknown {
  return expect.objectContaining({ [Symbol.toStringTag]: tag });
}

// Nest takes whatever an interceptor returns for a stream, so that a text ends up as its last character.
// Here a value is a value.
describe('when an interceptor returns a bare value', () => {
  const TYPE_ERROR = expect.stringContaining('where a stream was expected');

  it.each<[string, () => unknown, unknown, object]>([
    ['a text', () => 'plain', 'plain', { value: 'n' }],
    ['a promise of a text', () => Promise.resolve('plain'), 'plain', { value: 'n' }],
    ['a list', () => [1, 2], [1, 2], { value: 2 }],
    ['a number', () => 5, 5, { error: TYPE_ERROR }],
    ['an object', () => ({ a: 1 }), { a: 1 }, { error: TYPE_ERROR }],
  ])('%s, it is the result', async (_kind, answer, value, inNest) => {
    expect(
      await differentRuns({ interceptors: { method: [interceptor('bare', answer)] } }),
    ).toMatchObject({
      ours: { trace: ['> bare'], outcome: { value } },
      nest: { trace: ['> bare'], outcome: inNest },
    });
  });

  it('the interceptors around it see it as one value', async () => {
    expect(
      await differentRuns({
        interceptors: {
          class: [interceptor('outer')],
          method: [interceptor('bare', () => 'ab')],
        },
      }),
    ).toMatchObject({
      ours: { trace: ['> outer', '> bare', '< outer ab'] },
      nest: { trace: ['> outer', '> bare', '< outer a', '< outer b'] },
    });
  });

  it('that it awaited, it is the result', async () => {
    expect(
      await differentRuns({
        interceptors: {
          method: [interceptor('awaiting', (next) => lastValueFrom(next.handle()))],
        },
      }),
    ).toMatchObject({
      ours: { trace: ['> awaiting', 'method hi'], outcome: { value: 'ran hi' } },
      nest: { trace: ['> awaiting', 'method hi'], outcome: { value: 'i' } },
    });
  });
});

describe('when an interceptor forgets to return', () => {
  it('the call fails, as in Nest, instead of being called a success', async () => {
    const { ours, nest } = await compareStack({
      interceptors: { method: [interceptor('forgetful', (next) => void next.handle())] },
    });
    expect(nest).toEqual({ trace: ['> forgetful'], outcome: { error: expect.any(String) } });
    expect(ours).toEqual({ trace: ['> forgetful'], outcome: { error: expect.any(String) } });
  });
});
