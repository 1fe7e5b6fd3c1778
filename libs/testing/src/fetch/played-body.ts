/** How a body ends: as it should, broken off, or not at all until the request is aborted. */
export type BodyEnd = 'close' | 'reset' | 'stall';

/** A body of given pieces. Each is handed out when it is asked for, as a copy. */
export function playBody(
  pieces: Iterable<Uint8Array>,
  end: BodyEnd,
  signal?: AbortSignal | null,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  let onAbort: (() => void) | undefined;
  const free = (): void => {
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => controller.error(signal?.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
      },
      pull(controller) {
        const { done, value } = iterator.next();
        if (!done) {
          controller.enqueue(Uint8Array.from(value));
          return undefined;
        }
        // Nobody settles it: a cancel or an abort ends the stream all the same.
        if (end === 'stall') return new Promise<void>(() => {});
        free();
        if (end === 'close') controller.close();
        else controller.error(resetError());
        return undefined;
      },
      cancel: free,
    },
    { highWaterMark: 0 },
  );
}

/** As the platform's `fetch` reports a connection that was reset. */
function resetError(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('terminated', { cause });
}
