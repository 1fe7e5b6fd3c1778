import type { Subscriber, TeardownLogic } from 'rxjs';

type Sequence = AsyncIterator<unknown> | Iterator<unknown>;

/** A sequence whose values are always there at once must still let timers run, such as the timeout. */
const VALUES_PER_TURN = 100;

/** The iterator of an async iterable or a generator. Arrays, maps and sets are values. */
export function sequenceOf(value: object): Sequence | undefined {
  const { [Symbol.asyncIterator]: openAsync } = value as Partial<AsyncIterable<unknown>>;
  if (typeof openAsync === 'function') return openAsync.call(value);
  const { next, [Symbol.iterator]: open } = value as Partial<IterableIterator<unknown>>;
  return typeof next === 'function' && typeof open === 'function' ? open.call(value) : undefined;
}

/**
 * Hands the values of a sequence to a subscriber, each when the one before was taken, and at last what
 * a generator returns. Runs in the async context of the caller, and so does the body of a generator.
 *
 * @returns what leaves the sequence early, so that its `finally` runs
 */
export function readSequence(
  sequence: Sequence,
  subscriber: Subscriber<unknown>,
  progress: { isReturning: boolean },
): TeardownLogic {
  let isOver = false;
  const read = async () => {
    for (let count = 1; !subscriber.closed; count++) {
      const { done, value } = await sequence.next();
      if (done) {
        isOver = true;
        if (value !== undefined) passReturned(value, subscriber, progress);
        subscriber.complete();
        return;
      }
      subscriber.next(value);
      if (count % VALUES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  read().catch((error: unknown) => {
    isOver = true;
    subscriber.error(error);
  });
  return () => {
    if (!isOver) void leave(sequence);
  };
}

function passReturned(
  value: unknown,
  subscriber: Subscriber<unknown>,
  progress: { isReturning: boolean },
): void {
  progress.isReturning = true;
  subscriber.next(value);
  progress.isReturning = false;
}

async function leave(sequence: Sequence): Promise<void> {
  try {
    await sequence.return?.();
  } catch {
    // The call ended for another reason; a failed clean-up is not its outcome.
  }
}
