import { BadRequestException, HttpException, NotFoundException, type Type } from '@nestjs/common';
import fc from 'fast-check';
import {
  catchError,
  concat,
  defaultIfEmpty,
  EMPTY,
  lastValueFrom,
  map,
  Observable,
  of,
  retry,
  take,
  throwError,
} from 'rxjs';
import { filter, guard, interceptor, pipe } from './enhancers.js';
import { store, type Journal } from './journal.js';
import type { Stack } from './oracle.js';

const LEVELS = ['global', 'class', 'method'] as const;

type Guarding = NonNullable<Parameters<typeof guard>[1]>;
type Around = NonNullable<Parameters<typeof interceptor>[1]>;
type Transform = NonNullable<Parameters<typeof pipe>[1]>;
type Handle = Parameters<typeof filter>[1];

const throwing = (error: unknown) => {
  throw error;
};

const enter = () => {
  store.enterWith('guard');
  return true;
};

/** Fails every other time, so that a retry helps. */
const everyOther = (journal: Journal, key: string) => {
  if (journal.count(key) % 2 === 1) throw new BadRequestException(`flaky ${key}`);
};

const GUARDS: Record<string, Guarding> = {
  pass: () => true,
  promise: () => Promise.resolve(true),
  observable: () => of(false, true),
  promisedObservable: () => Promise.resolve(of(true)),
  enter,
  enterAndWait: () => Promise.resolve(enter()),
  // From here on it does not let the call pass.
  deny: () => false,
  denyLater: () => Promise.resolve(undefined),
  denyInObservable: () => of(true, false),
  empty: () => EMPTY,
  throw: () => throwing(new NotFoundException('from a guard')),
  reject: () => Promise.reject(new Error('from a guard')),
};

const INTERCEPTORS: Record<string, Around> = {
  pass: (next) => next.handle(),
  map: (next) => next.handle().pipe(map((value) => `(${String(value)})`)),
  retry: (next) => next.handle().pipe(retry(1)),
  retryTwice: (next) => next.handle().pipe(retry(2)),
  catch: (next) => next.handle().pipe(catchError((error: Error) => of(`caught ${error.message}`))),
  rethrow: (next) =>
    next.handle().pipe(catchError((error) => throwError(() => new Error(`again ${error}`)))),
  default: (next) => next.handle().pipe(defaultIfEmpty('default')),
  first: (next) => next.handle().pipe(take(1)),
  twice: (next) => concat(next.handle(), next.handle()),
  promise: (next) => Promise.resolve().then(() => next.handle()),
  awaited: async (next) => of(await lastValueFrom(next.handle())),
  around: (next) => store.run('around', () => next.handle()),
  subscribing: (next) =>
    new Observable((subscriber) =>
      store.run('subscribing', () => next.handle().subscribe(subscriber)),
    ),
  cached: () => of('cached'),
  empty: () => EMPTY,
  throwBefore: () => throwing(new Error('before')),
  reject: () => Promise.reject(new NotFoundException('before')),
  throwAfter: (next) => next.handle().pipe(map(() => throwing(new Error('after')))),
  flaky: (next, journal) => {
    everyOther(journal, 'interceptor');
    return next.handle();
  },
};

const PIPES: Record<string, Transform> = {
  pass: (value) => value,
  append: (value) => `${String(value)}+`,
  later: (value) => Promise.resolve(`${String(value)}~`),
  nothing: () => undefined,
  throw: () => throwing(new BadRequestException('from a pipe')),
  reject: () => Promise.reject(new BadRequestException('from a pipe')),
  flaky: (value, journal) => {
    everyOther(journal, 'pipe');
    return value;
  },
};

const FILTERS: Record<string, Handle> = {
  answer: (error) => `filtered ${(error as Error).message}`,
  promise: () => Promise.resolve('filtered'),
  nothing: () => undefined,
  rethrow: throwing,
  other: () => throwing(new NotFoundException('other')),
  rejectOther: () => Promise.reject(new NotFoundException('other')),
};

const CAUGHT: Record<string, Type<Error>[]> = {
  all: [],
  http: [HttpException],
  notFound: [NotFoundException],
  several: [TypeError, BadRequestException],
};

const METHODS: Record<string, NonNullable<Stack['method']>> = {
  value: (text) => `ran ${text}`,
  nothing: () => undefined,
  promise: (text) => Promise.resolve(`ran ${text}`),
  observable: () => of(1, 2, 3),
  promisedObservable: () => Promise.resolve(of(1, 2)),
  empty: () => EMPTY,
  lateError: () =>
    concat(
      of(1),
      throwError(() => new NotFoundException('late')),
    ),
  throw: () => throwing(new TypeError('from the method')),
  throwHttp: () => throwing(new BadRequestException('from the method')),
  reject: () => Promise.reject(new Error('from the method')),
  flaky: (text, journal) => {
    everyOther(journal, 'method');
    return text;
  },
  flakyObservable: (text, journal) =>
    new Observable((subscriber) => {
      everyOther(journal, 'method');
      subscriber.next(text);
      subscriber.complete();
    }),
};

interface Placed {
  readonly level: (typeof LEVELS)[number];
  readonly behaviour: string;
}

interface PlacedFilter extends Placed {
  readonly caught: string;
}

interface PlacedPipe {
  readonly level: Placed['level'] | 'parameter';
  readonly behaviour: string;
}

/** Names only, so that a failure can be read and repeated. */
export interface RandomStack {
  readonly guards: readonly Placed[];
  readonly interceptors: readonly Placed[];
  readonly pipes: readonly PlacedPipe[];
  readonly filters: readonly PlacedFilter[];
  readonly method: string;
}

const level = fc.constantFrom(...LEVELS);
const nameOf = (behaviours: object) => fc.constantFrom(...Object.keys(behaviours));

/** Most of those that pass, so that most calls get to their method. */
const guardName = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom(...Object.keys(GUARDS).slice(0, 6)) },
  { weight: 1, arbitrary: nameOf(GUARDS) },
);
const pipeName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('pass', 'append', 'later') },
  { weight: 1, arbitrary: nameOf(PIPES) },
);

export const randomStack: fc.Arbitrary<RandomStack> = fc.record({
  guards: fc.array(fc.record({ level, behaviour: guardName }), { maxLength: 4 }),
  interceptors: fc.array(fc.record({ level, behaviour: nameOf(INTERCEPTORS) }), { maxLength: 5 }),
  pipes: fc.array(
    fc.record({ level: fc.oneof(level, fc.constant('parameter' as const)), behaviour: pipeName }),
    { maxLength: 4 },
  ),
  filters: fc.array(fc.record({ level, behaviour: nameOf(FILTERS), caught: nameOf(CAUGHT) }), {
    maxLength: 3,
  }),
  method: nameOf(METHODS),
});

export function toStack(random: RandomStack): Stack {
  return {
    guards: group(random.guards, (name, { behaviour }) => guard(name, GUARDS[behaviour])),
    interceptors: group(random.interceptors, (name, { behaviour }) =>
      interceptor(name, INTERCEPTORS[behaviour]),
    ),
    pipes: group(random.pipes, (name, { behaviour }) => pipe(name, PIPES[behaviour])),
    filters: group(random.filters, (name, { behaviour, caught }) =>
      filter(name, FILTERS[behaviour], ...CAUGHT[caught]),
    ),
    method: METHODS[random.method],
  };
}

/** Enhancers by their level, named by their place and what they do. */
function group<P extends { level: string; behaviour: string }, T>(
  placed: readonly P[],
  make: (name: string, one: P) => T,
): Record<string, T[]> {
  const groups: Record<string, T[]> = {};
  placed.forEach((one, index) => {
    (groups[one.level] ??= []).push(make(`${one.level} ${index} ${one.behaviour}`, one));
  });
  return groups;
}
