import { describe, expect, it } from '@jest/globals';
import type { CallHandler } from '@nestjs/common';
import { catchError, concat, lastValueFrom, map, of, retry, take, type Observable } from 'rxjs';
import { filter, guard, interceptor, pipe } from './enhancers.js';
import type { Journal } from './journal.js';
import { differentRuns, sameRun, type Stack } from './oracle.js';

const fail = (message: string) => {
  throw new Error(message);
};

/** Fails until it is called the third time. */
const flaky: Stack['method'] = (text, journal) =>
  journal.count('runs') < 3 ? fail('flaky') : `ran ${text}`;

describe('when an interceptor subscribes again', () => {
  const retrying = interceptor('retrying', (next) => next.handle().pipe(retry(2)));

  it('what is further in runs again, guards do not', async () => {
    const failed = [
      '> inner',
      'pipe parameter custom text String: hi',
      'method hi!',
      '! inner Error: flaky',
    ];
    expect(
      await sameRun({
        guards: { method: [guard('once')] },
        interceptors: { class: [retrying], method: [interceptor('inner')] },
        pipes: { parameter: [pipe('parameter', (value) => `${String(value)}!`)] },
        method: flaky,
      }),
    ).toEqual({
      trace: [
        'guard once',
        '> retrying',
        ...failed,
        ...failed,
        ...failed.slice(0, 3),
        '< inner ran hi!',
        '< retrying ran hi!',
      ],
      outcome: { value: 'ran hi!' },
    });
  });

  it('once too few, the last error counts', async () => {
    expect(
      await sameRun({
        interceptors: { method: [interceptor('once', (next) => next.handle().pipe(retry(1)))] },
        method: flaky,
        filters: { class: [filter('class', (error) => `filtered ${(error as Error).message}`)] },
      }),
    ).toEqual({
      trace: [
        '> once',
        'method hi',
        'method hi',
        '! once Error: flaky',
        'filter class Error: flaky',
      ],
      outcome: { value: 'filtered flaky' },
    });
  });

  it.each<[string, (next: CallHandler) => unknown]>([
    ['to the same Observable', (next) => twice(next.handle())],
    ['to one of a second next.handle()', (next) => concat(next.handle(), next.handle())],
  ])('%s, the method runs twice', async (_to, around) => {
    expect(
      await sameRun({
        interceptors: { method: [interceptor('twice', around)] },
        method: (_text, journal) => journal.count('runs'),
      }),
    ).toEqual({
      trace: ['> twice', 'method hi', '< twice 1', 'method hi', '< twice 2'],
      outcome: { value: 2 },
    });
  });
});

describe('when an interceptor has enough', () => {
  it('one further in that would call the method again does not', async () => {
    const first = interceptor('first', (next) => next.handle().pipe(take(1)));
    const again = interceptor('again', (next) => twice(next.handle()));
    expect(await sameRun({ interceptors: { class: [first], method: [again] } })).toEqual({
      trace: ['> first', '> again', 'method hi', '< again ran hi', '< first ran hi'],
      outcome: { value: 'ran hi' },
    });
  });
});

function twice(source: Observable<unknown>): Observable<unknown> {
  return concat(source, source);
}

describe('when an interceptor answers from a cache', () => {
  it('nothing further in runs', async () => {
    expect(
      await sameRun({
        guards: { method: [guard('method')] },
        interceptors: {
          global: [interceptor('outer')],
          class: [interceptor('cache', () => of('cached'))],
          method: [interceptor('inner')],
        },
        pipes: { parameter: [pipe('parameter')] },
      }),
    ).toEqual({
      trace: ['guard method', '> outer', '> cache', '< cache cached', '< outer cached'],
      outcome: { value: 'cached' },
    });
  });

  it('and calls next.handle() without subscribing, the method does not run either', async () => {
    const cache = interceptor('cache', (next) => {
      next.handle();
      return of('cached');
    });
    expect(await sameRun({ interceptors: { method: [cache] } })).toEqual({
      trace: ['> cache', '< cache cached'],
      outcome: {
        value: 'cached',
      },
    });
  });
});

describe('when an interceptor throws', () => {
  const catching = interceptor('catching', (next) =>
    next.handle().pipe(catchError((error: Error) => of(`caught ${error.message}`))),
  );

  it.each<[string, (next: CallHandler) => unknown]>([
    ['at once', () => fail('before')],
    ['later', () => Promise.reject(new Error('before'))],
  ])('before next.handle(), %s, the method does not run', async (_when, around) => {
    const throwing = interceptor('throwing', around);
    expect(
      await sameRun({
        interceptors: { class: [interceptor('outer')], method: [throwing] },
        filters: { class: [filter('class', (error) => Promise.reject(error))] },
      }),
    ).toEqual({
      trace: ['> outer', '> throwing', '! outer Error: before', 'filter class Error: before'],
      outcome: { error: 'Error: before' },
    });
    expect(await sameRun({ interceptors: { class: [catching], method: [throwing] } })).toEqual({
      trace: ['> catching', '> throwing', '< catching caught before'],
      outcome: { value: 'caught before' },
    });
  });

  it('after next.handle(), the interceptors around it see the error', async () => {
    const throwing = interceptor('throwing', (next) =>
      next.handle().pipe(map(() => fail('after'))),
    );
    expect(await sameRun({ interceptors: { class: [catching], method: [throwing] } })).toEqual({
      trace: [
        '> catching',
        '> throwing',
        'method hi',
        '! throwing Error: after',
        '< catching caught after',
      ],
      outcome: { value: 'caught after' },
    });
  });

  it('the interceptors further out see what the method threw, the ones further in do not catch it twice', async () => {
    expect(
      await sameRun({
        interceptors: { global: [interceptor('outer')], class: [catching] },
        method: () => fail('method'),
      }),
    ).toEqual({
      trace: [
        '> outer',
        '> catching',
        'method hi',
        '< catching caught method',
        '< outer caught method',
      ],
      outcome: { value: 'caught method' },
    });
  });
});

describe('when an interceptor returns a promise', () => {
  it.each<[string, (next: CallHandler) => unknown]>([
    ['of next.handle()', (next) => Promise.resolve().then(() => next.handle())],
    ['of an Observable of what it awaited', async (next) => of(await lastValueFrom(next.handle()))],
  ])('%s, the chain goes on', async (_of, around) => {
    expect(
      await sameRun({
        interceptors: {
          class: [interceptor('outer')],
          method: [interceptor('promising', around)],
        },
      }),
    ).toEqual({
      trace: ['> outer', '> promising', 'method hi', '< outer ran hi'],
      outcome: { value: 'ran hi' },
    });
  });
});

describe('when an interceptor subscribes aside', () => {
  it('the method runs, at once where Nest takes some turns', async () => {
    // What is not asynchronous takes no turns here. Nobody may rely on the order of the two.
    const aside = interceptor('aside', (next: CallHandler, journal: Journal) => {
      next.handle().subscribe((value) => journal.record(`aside ${String(value)}`));
      return of('answer');
    });
    expect(await differentRuns({ interceptors: { method: [aside] } })).toMatchObject({
      ours: {
        trace: ['> aside', 'method hi', 'aside ran hi', '< aside answer'],
        outcome: { value: 'answer' },
      },
      nest: { trace: ['> aside', '< aside answer', 'method hi'], outcome: { value: 'answer' } },
    });
  });
});
