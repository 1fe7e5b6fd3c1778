import { describe, expect, it } from '@jest/globals';
import type { CallHandler } from '@nestjs/common';
import { Observable } from 'rxjs';
import { filter, guard, interceptor, pipe } from './enhancers.js';
import { store } from './journal.js';
import {
  compareStack,
  differentRuns,
  sameRun,
  isNest11,
  runNest,
  runOurs,
  withStack,
  type Stack,
} from './oracle.js';

const rethrow = (error: unknown) => {
  throw error;
};

/** A stage of every kind; the journal notes the store that each of them sees. */
const failing: Stack = {
  interceptors: { method: [interceptor('inner')] },
  pipes: { parameter: [pipe('parameter')] },
  filters: { method: [filter('method', rethrow)] },
  method: () => rethrow(new Error('no')),
};

const enter = () => {
  store.enterWith('guard');
  return true;
};

const piped = 'pipe parameter custom text String: hi';

describe('when a guard enters a store of AsyncLocalStorage', () => {
  it.each<[string, () => unknown]>([
    ['at once', enter],
    ['before it waits', () => Promise.resolve(enter())],
  ])('%s, everything behind it sees the store', async (_when, answer) => {
    expect(
      await sameRun({
        ...failing,
        guards: { class: [guard('first', answer)], method: [guard('second')] },
      }),
    ).toEqual({
      trace: [
        'guard first',
        ...['guard second', '> inner', piped, 'method hi', '! inner Error: no'].map(inGuard),
        inGuard('filter method Error: no'),
      ],
      outcome: { error: 'Error: no' },
    });
  });

  it('after it waited, nothing sees it, as anywhere in Node', async () => {
    const { ours, nest } = await compareStack({
      ...failing,
      guards: { class: [guard('first', () => Promise.resolve().then(enter))] },
    });
    expect(ours).toEqual(nest);
    expect(ours.trace).toContain('method hi');
  });

  it('the subscription of a cold Observable sees it', async () => {
    expect(
      await sameRun({
        guards: { method: [guard('first', enter)] },
        method: (_text, journal) =>
          new Observable((subscriber) => {
            journal.record('subscribed');
            subscriber.next(1);
            subscriber.complete();
          }),
      }),
    ).toEqual({
      trace: ['guard first', 'method hi [guard]', 'subscribed [guard]'],
      outcome: { value: 1 },
    });
  });

  it('the code that called the tool does not see it, as it does with Nest', async () => {
    // Calls run beside each other in one run: the store of one must not be that of the next.
    const stack: Stack = { guards: { method: [guard('first', enter)] } };
    const seenAfter = (way: typeof runOurs) =>
      withStack(stack, (target) =>
        store.run('caller', async () => {
          const running = way(target);
          const seen = store.getStore();
          await running;
          return seen;
        }),
      );
    expect(await seenAfter(runOurs)).toBe('caller');
    expect(await seenAfter(runNest)).toBe('guard');
  });
});

function inGuard(entry: string): string {
  return `${entry} [guard]`;
}

describe('when an interceptor sets a store', () => {
  const subscribing = (next: CallHandler) =>
    new Observable((subscriber) => store.run('set', () => next.handle().subscribe(subscriber)));
  const subscribingLate = (next: CallHandler) => {
    const handled = next.handle();
    return new Observable((subscriber) => store.run('set', () => handled.subscribe(subscriber)));
  };

  it('around next.handle(), only what is further in sees it', async () => {
    expect(
      await sameRun({
        ...failing,
        interceptors: {
          class: [interceptor('outer', (next) => store.run('set', () => next.handle()))],
          method: [interceptor('inner')],
        },
      }),
    ).toEqual({
      trace: [
        '> outer',
        '> inner [set]',
        `${piped} [set]`,
        'method hi [set]',
        '! inner Error: no',
        '! outer Error: no',
        'filter method Error: no',
      ],
      outcome: { error: 'Error: no' },
    });
  });

  it('around a promise of next.handle(), what is further in sees it, also later', async () => {
    const waiting = (next: CallHandler) =>
      store.run('set', () => Promise.resolve().then(() => next.handle()));
    expect(
      await sameRun({
        interceptors: { class: [interceptor('outer', waiting)] },
        method: async (_text, journal) => {
          await Promise.resolve();
          journal.record('later');
          return 'ran';
        },
      }),
    ).toEqual({ trace: ['> outer', 'method hi [set]', 'later [set]'], outcome: { value: 'ran' } });
  });

  it('around its own subscription, what is further in and on the way back sees it', async () => {
    expect(
      await sameRun({
        interceptors: {
          class: [interceptor('outer', subscribing)],
          method: [interceptor('inner')],
        },
        pipes: { parameter: [pipe('parameter')] },
      }),
    ).toEqual({
      trace: [
        '> outer',
        '> inner [set]',
        `${piped} [set]`,
        'method hi [set]',
        '< inner ran hi [set]',
        '< outer ran hi [set]',
      ],
      outcome: { value: 'ran hi' },
    });
  });

  it('around the subscription of what it handled before, only the way back sees it', async () => {
    expect(
      await sameRun({ interceptors: { class: [interceptor('outer', subscribingLate)] } }),
    ).toEqual({
      trace: ['> outer', 'method hi', '< outer ran hi [set]'],
      outcome: { value: 'ran hi' },
    });
  });

  it('around a generator, its body sees the store, which Nest leaves to whoever reads it', async () => {
    expect(
      await differentRuns({
        interceptors: {
          class: [interceptor('outer', (next) => store.run('set', () => next.handle()))],
        },
        method: async function* (_text, journal) {
          journal.record('body');
          yield await Promise.resolve('last');
        },
      }),
    ).toMatchObject({
      ours: {
        trace: expect.arrayContaining(['method hi [set]', 'body [set]']),
        outcome: { value: 'last' },
      },
      nest: {
        trace: ['> outer', 'method hi [set]', '< outer [object AsyncGenerator]'],
      },
    });
  });

  it('around its own subscription, the body of a generator sees it, too', async () => {
    expect(
      await differentRuns({
        interceptors: { class: [interceptor('outer', subscribing)] },
        method: async function* (_text, journal) {
          journal.record('body');
          yield await Promise.resolve('last');
        },
      }),
    ).toMatchObject({
      ours: {
        trace: ['> outer', 'method hi [set]', 'body [set]', '< outer last [set]'],
        outcome: { value: 'last' },
      },
      nest: {
        trace: ['> outer', 'method hi [set]', '< outer [object AsyncGenerator] [set]'],
      },
    });
  });

  it('with enterWith(), filters see it, too, as they do not in Nest', async () => {
    // Here the first interceptor is called in the async context of the call itself.
    const entering = (next: CallHandler) => {
      store.enterWith('set');
      return next.handle();
    };
    const trace = ['> outer', 'method hi [set]', '! outer Error: no [set]'];
    expect(
      await differentRuns({
        filters: failing.filters,
        method: failing.method,
        interceptors: { class: [interceptor('outer', entering)] },
      }),
    ).toMatchObject({
      ours: { trace: [...trace, 'filter method Error: no [set]'] },
      nest: { trace: [...trace, 'filter method Error: no'] },
    });
  });
});

describe('when a pipe enters a store', () => {
  it('the method sees it, as in Nest 12', async () => {
    const stack: Stack = {
      pipes: {
        parameter: [
          pipe('parameter', (value) => {
            store.enterWith('pipe');
            return value;
          }),
        ],
      },
    };
    const { ours, nest } = await compareStack(stack);
    expect(ours.trace).toEqual([piped, 'method hi [pipe]']);
    expect(nest.trace).toEqual([piped, isNest11 ? 'method hi' : 'method hi [pipe]']);
  });
});

describe('when the caller has a store', () => {
  it('every stage sees it', async () => {
    const { ours, nest } = await store.run('caller', () =>
      compareStack({ ...failing, guards: { global: [guard('first')] } }),
    );
    expect(ours).toEqual(nest);
    expect(ours.trace).toHaveLength(6);
    expect(ours.trace.filter((entry) => !entry.endsWith(' [caller]'))).toEqual([]);
  });
});
