import { isObservable } from 'rxjs';

type Source = AsyncIterator<unknown> | Iterator<unknown>;

interface Abortable {
  readonly aborted: boolean;
}

/**
 * Reads an async iterable or a generator to its end, inside the pipeline, so that filters,
 * interceptors and the async context cover it. Its last value, or the one that a generator returns,
 * is the result. Any other value is the result itself.
 */
export function drain(value: unknown, lifetime: Abortable): unknown {
  if (value === null || typeof value !== 'object') return value;
  const source = sourceOf(value);
  return source ? read(source, lifetime) : value;
}

async function read(source: Source, lifetime: Abortable): Promise<unknown> {
  let last: unknown;
  for (;;) {
    const { done, value } = await source.next();
    if (done) return value === undefined ? last : value;
    last = value;
    if (lifetime.aborted) {
      await source.return?.();
      return last;
    }
  }
}

function sourceOf(value: object): Source | undefined {
  const { [Symbol.asyncIterator]: openAsync } = value as Partial<AsyncIterable<unknown>>;
  if (typeof openAsync === 'function')
    return isObservable(value) ? undefined : openAsync.call(value);
  // Arrays, maps and sets are values; a generator object is a sequence.
  const { next, [Symbol.iterator]: open } = value as Partial<IterableIterator<unknown>>;
  return typeof next === 'function' && typeof open === 'function' ? open.call(value) : undefined;
}
