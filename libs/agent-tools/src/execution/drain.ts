import { isObservable } from 'rxjs';

interface Abortable {
  readonly aborted: boolean;
}

/**
 * Reads an async iterable or a generator to its end, inside the pipeline, so that filters,
 * interceptors and the async context cover it. Its last value, or the one that a generator returns,
 * is the result. Leaves early once the call is aborted.
 */
export async function drain(value: unknown, lifetime: Abortable): Promise<unknown> {
  const iterator = iteratorOf(value);
  if (!iterator) return value;
  let last: unknown;
  for (;;) {
    const { done, value: item } = await iterator.next();
    if (done) return item === undefined ? last : item;
    last = item;
    if (lifetime.aborted) {
      await iterator.return?.();
      return last;
    }
  }
}

export function isDrainable(value: unknown): boolean {
  return iteratorOf(value) !== undefined;
}

function iteratorOf(value: unknown): AsyncIterator<unknown> | Iterator<unknown> | undefined {
  if (value === null || typeof value !== 'object' || isObservable(value)) return undefined;
  const source = value as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
  if (typeof source[Symbol.asyncIterator] === 'function') return source[Symbol.asyncIterator]?.();
  // Arrays, maps and sets are values; a generator object is a sequence.
  const isGenerator = Object.prototype.toString.call(value) === '[object Generator]';
  return isGenerator ? source[Symbol.iterator]?.() : undefined;
}
