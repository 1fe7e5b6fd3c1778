/** Which store of AsyncLocalStorage the body of a stream sees, at each of its values. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import type { NestInterceptor } from '@nestjs/common';
import { Observable, tap } from 'rxjs';
import { readAll } from '../../loop/support/events.js';
import { sleep } from '../../loop/support/time.js';
import { intercepting, start, watch } from './watch.js';

const als = new AsyncLocalStorage<string>();

/** Sets a store around everything that is further in, as most packages do. */
const around: NestInterceptor = {
  intercept: (_context, next) => als.run('set', () => next.handle()),
};
/** As nestjs-cls does: around the subscription. */
const subscribing: NestInterceptor = {
  intercept: (_context, next) =>
    new Observable((subscriber) => als.run('set', () => next.handle().subscribe(subscriber))),
};
const waiting: NestInterceptor = {
  intercept: (_context, next) =>
    als.run('set', async () => {
      await sleep(1);
      return next.handle();
    }),
};

type Seen = (string | undefined)[];
type Notes = (seen: Seen) => unknown;

/** Each notes the store at its start, between its values, and at its end. */
const BODIES: [string, Notes][] = [
  [
    'an async generator that waits',
    async function* (seen) {
      try {
        for (let count = 0; count < 3; count++) {
          seen.push(als.getStore());
          yield count;
          await sleep(1);
        }
      } finally {
        seen.push(als.getStore());
      }
    },
  ],
  [
    'an async generator that never waits',
    async function* (seen) {
      for (let count = 0; count < 3; count++) {
        seen.push(als.getStore());
        yield count;
      }
      seen.push(als.getStore());
    },
  ],
  [
    'a generator',
    function* (seen) {
      for (let count = 0; count < 3; count++) {
        seen.push(als.getStore());
        yield count;
      }
      seen.push(als.getStore());
    },
  ],
  [
    'an async iterable',
    (seen) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          seen.push(als.getStore());
          return Promise.resolve({ done: seen.length > 3, value: 1 });
        },
      }),
    }),
  ],
  [
    'an Observable',
    (seen) =>
      new Observable((subscriber) => {
        const note = () => {
          seen.push(als.getStore());
          subscriber.next(seen.length);
          if (seen.length < 4) setTimeout(note, 1);
          else subscriber.complete();
        };
        note();
      }),
  ],
];
const PROMISED = BODIES.map(([form, open]): [string, Notes] => [
  `a promise of ${form}`,
  async (seen) => {
    await sleep(1);
    return open(seen);
  },
]);
const ALL = [...BODIES, ...PROMISED];
// An Observable is subscribed to by whoever takes the values, here as in Nest.
const SEQUENCES = ALL.filter(([form]) => !form.includes('Observable'));

describe.each([
  ['runs next.handle() in a store', around, SEQUENCES],
  ['awaits before next.handle() in a store', waiting, SEQUENCES],
  ['subscribes in a store', subscribing, ALL],
])('when an interceptor %s', (_how, interceptor, bodies) => {
  it.each(bodies)('the body of %s sees it at each value', async (_form, open) => {
    const seen: Seen = [];
    const { result } = await watch(() => open(seen), { interceptors: [interceptor] });
    expect(result.status).toBe('success');
    expect(seen).toEqual(['set', 'set', 'set', 'set']);
  });

  it.each(bodies)('and another one stands further in, so does %s', async (_form, open) => {
    const seen: Seen = [];
    const { result } = await watch(() => open(seen), {
      interceptors: [interceptor, intercepting(tap())],
    });
    expect(result.status).toBe('success');
    expect(seen).toEqual(['set', 'set', 'set', 'set']);
  });
});

describe('when the stream of the run is made in a store', () => {
  it.each(ALL)('and read elsewhere, the body of %s sees that store', async (_form, open) => {
    const seen: Seen = [];
    const { agent } = await start(() => open(seen));
    const stream = als.run('made', () => agent.stream('Go.'));
    await als.run('read', () => readAll(stream));
    expect(seen).toEqual(['made', 'made', 'made', 'made']);
  });

  it.each(ALL)('and read elsewhere, %s behind an interceptor does, too', async (_form, open) => {
    const seen: Seen = [];
    const { agent } = await start(() => open(seen), { interceptors: [intercepting(tap())] });
    const stream = als.run('made', () => agent.stream('Go.'));
    await als.run('read', () => readAll(stream));
    expect(seen).toEqual(['made', 'made', 'made', 'made']);
  });
});

describe('when a stream is left', () => {
  const LEFT: [string, Notes][] = [
    [
      'an async generator',
      async function* (seen) {
        try {
          for (;;) {
            await sleep(1);
            yield 1;
          }
        } finally {
          seen.push(als.getStore());
        }
      },
    ],
    [
      'a generator',
      function* (seen) {
        try {
          for (;;) yield 1;
        } finally {
          seen.push(als.getStore());
        }
      },
    ],
  ];

  it.each(LEFT)('the clean-up of %s sees the store of its call', async (_form, open) => {
    const seen: Seen = [];
    const { executor } = await start(() => open(seen), { timeout: 20 });
    const { content } = await als.run('call', () => executor.execute('watch', {}));
    await sleep(10);
    expect(content).toContain('timed out');
    expect(seen).toEqual(['call']);
  });

  it.each(LEFT)('the clean-up of %s sees the store of an interceptor', async (_form, open) => {
    const seen: Seen = [];
    const { executor } = await start(() => open(seen), { timeout: 20, interceptors: [around] });
    const { content } = await als.run('call', () => executor.execute('watch', {}));
    await sleep(10);
    expect(content).toContain('timed out');
    expect(seen).toEqual(['set']);
  });
});

describe('when two calls stream at the same time', () => {
  it('each sees its own store', async () => {
    const seen: Seen[] = [];
    const { executor } = await start(async function* () {
      const own: Seen = [];
      seen.push(own);
      for (let count = 0; count < 5; count++) {
        await sleep(1);
        own.push(als.getStore());
        yield count;
      }
    });
    await Promise.all(['x', 'y'].map((name) => als.run(name, () => executor.execute('watch', {}))));
    expect(seen).toEqual([Array(5).fill('x'), Array(5).fill('y')]);
  });
});
