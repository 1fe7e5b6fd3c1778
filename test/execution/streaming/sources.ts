import { Readable } from 'node:stream';
import { from, Observable } from 'rxjs';
import { sleep } from '../../loop/support/time.js';

export const LETTERS = ['a', 'b', 'c'];

export async function* letters() {
  for (const letter of LETTERS) {
    await sleep(1);
    yield letter;
  }
}

export function* lettersAtOnce() {
  yield* LETTERS;
}

/** An async iterable whose iterator is no generator and has no `return`. */
export function bareIterable(values: readonly unknown[]): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const left = [...values];
      return {
        next: () =>
          Promise.resolve(
            left.length > 0
              ? { done: false, value: left.shift() }
              : { done: true, value: undefined },
          ),
      };
    },
  };
}

/** Every form in which a method may return several values, here always the letters. */
export const FORMS: [string, () => unknown][] = [
  ['an async generator', letters],
  ['a generator', lettersAtOnce],
  ['an async iterable', () => bareIterable(LETTERS)],
  ['a promise of an async generator', () => Promise.resolve(letters())],
  ['a promise of a generator', () => Promise.resolve(lettersAtOnce())],
  ['a promise of an async iterable', () => Promise.resolve(bareIterable(LETTERS))],
  ['an Observable', () => from(LETTERS)],
  ['an Observable that takes its time', () => from(letters())],
  ['a promise of an Observable', () => Promise.resolve(from(LETTERS))],
];

/** An endless source, and how often it was opened and ended. */
export interface Endless {
  readonly ended: string[];
  readonly made: number[];
  open(): unknown;
}

const TICK = 2;

function tracked(open: (endless: Endless) => unknown): () => Endless {
  return () => {
    const endless: Endless = { ended: [], made: [], open: () => open(endless) };
    return endless;
  };
}

export const ENDLESS: [string, () => Endless][] = [
  [
    'an async generator',
    tracked(async function* ({ ended, made }) {
      try {
        for (let count = 1; ; count++) {
          await sleep(TICK);
          made.push(count);
          yield count;
        }
      } finally {
        ended.push('finally');
      }
    }),
  ],
  [
    'an async generator that never waits',
    tracked(async function* ({ ended, made }) {
      try {
        for (let count = 1; ; count++) {
          made.push(count);
          yield count;
        }
      } finally {
        ended.push('finally');
      }
    }),
  ],
  [
    'a generator',
    tracked(function* ({ ended, made }) {
      try {
        for (let count = 1; ; count++) {
          made.push(count);
          yield count;
        }
      } finally {
        ended.push('finally');
      }
    }),
  ],
  [
    'an async iterable',
    tracked(({ ended, made }) => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          await sleep(TICK);
          made.push(made.length + 1);
          return { done: false, value: made.length };
        },
        return: () => {
          ended.push('return');
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    })),
  ],
  [
    'an Observable',
    tracked(
      ({ ended, made }) =>
        new Observable((subscriber) => {
          const timer = setInterval(() => {
            made.push(made.length + 1);
            subscriber.next(made.length);
          }, TICK);
          return () => {
            clearInterval(timer);
            ended.push('teardown');
          };
        }),
    ),
  ],
];

/** A stream of Node that holds something from the moment on in which it is made. */
export function openReadable(): { readable: Readable; closed: string[] } {
  const closed: string[] = [];
  const readable = new Readable({
    read: () => undefined,
    destroy: (error, done) => {
      closed.push('closed');
      done(error);
    },
  });
  return { readable, closed };
}
