/**
 * Whether a value is one to wait for. Of what others made, only `toPromise()` is sure to give a promise
 * back: the `then` of an arbitrary thenable returns whatever it likes.
 */
export function isThenable(value: unknown): value is Promise<unknown> {
  return (
    value !== null &&
    typeof value === 'object' &&
    typeof (value as PromiseLike<unknown>).then === 'function'
  );
}

/** A real promise for a value to wait for; a native one is taken as it is. */
export function toPromise<T>(value: Promise<T>): Promise<T> {
  return value instanceof Promise ? value : Promise.resolve(value);
}
