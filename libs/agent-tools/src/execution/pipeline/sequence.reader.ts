import type { AsyncResource } from 'node:async_hooks';
import type { Subscriber, TeardownLogic } from 'rxjs';

/** An opened sequence. */
interface Sequence {
  readonly iterator: AsyncIterator<unknown> | Iterator<unknown>;
  /** Of a generator that is not asynchronous: the values may be promises. */
  readonly isSync: boolean;
  /** A Node.js stream, whose iterator cannot be left while it waits. */
  readonly stream?: Destroyable | undefined;
}

interface Destroyable {
  destroy(): unknown;
}

interface Progress {
  yielded: number;
  hasReturned: boolean;
}

/** A sequence whose values are always there at once must still let timers run, such as the timeout. */
const VALUES_PER_TURN = 100;

/** An async iterable or a generator, opened. Arrays, maps and sets are values. */
export function sequenceOf(value: object): Sequence | undefined {
  const { [Symbol.asyncIterator]: openAsync } = value as Partial<AsyncIterable<unknown>>;
  if (typeof openAsync === 'function') {
    const stream = isNodeStream(value) ? value : undefined;
    return { iterator: openAsync.call(value), isSync: false, stream };
  }
  const { next, [Symbol.iterator]: open } = value as Partial<IterableIterator<unknown>>;
  if (typeof next !== 'function' || typeof open !== 'function') return undefined;
  return { iterator: open.call(value), isSync: true };
}

/** What `map.values()` and the like give is a list that was not written down yet. */
export function isCollectionIterator(value: object): value is Iterable<unknown> {
  return /^\[object (?:Map|Set|Array|String|RegExp String) Iterator\]$/.test(
    Object.prototype.toString.call(value),
  );
}

/** For a value that nobody will read: a stream holds a file or a socket. */
export function discard(value: unknown): void {
  if (value !== null && typeof value === 'object' && isNodeStream(value)) value.destroy();
}

/**
 * Hands the values of a sequence to a subscriber, each when the one before was taken, and at last what
 * a generator returns.
 *
 * @param resource the async context in which the body of a generator runs; that of the caller if
 * undefined
 * @returns what leaves the sequence early, so that its `finally` runs
 */
export function readSequence(
  sequence: Sequence,
  subscriber: Subscriber<unknown>,
  progress: Progress,
  resource: AsyncResource | undefined,
): TeardownLogic {
  const { iterator, isSync } = sequence;
  let isOver = false;
  const next = async () => {
    try {
      return await iterator.next();
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  const read = async () => {
    for (let count = 1; !subscriber.closed; count++) {
      const step = await next();
      isOver ||= step.done === true;
      const value: unknown = isSync ? await step.value : step.value;
      if (step.done) {
        progress.hasReturned = value !== undefined;
        if (value !== undefined) subscriber.next(value);
        subscriber.complete();
        return;
      }
      if (subscriber.closed) return;
      progress.yielded++;
      subscriber.next(value);
      if (count % VALUES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const start = () => {
    read().catch((error: unknown) => subscriber.error(error));
  };
  within(resource, start);
  return () => {
    if (!isOver) within(resource, () => void leave(sequence));
  };
}

function within(resource: AsyncResource | undefined, work: () => void): void {
  if (resource) resource.runInAsyncScope(work);
  else work();
}

async function leave({ iterator, stream }: Sequence): Promise<void> {
  try {
    stream?.destroy();
    await iterator.return?.();
  } catch {
    // The call ended for another reason; a failed clean-up is not its outcome.
  }
}

function isNodeStream(value: object): value is Destroyable {
  const { destroy, pipe } = value as { destroy?: unknown; pipe?: unknown };
  return typeof destroy === 'function' && typeof pipe === 'function';
}
