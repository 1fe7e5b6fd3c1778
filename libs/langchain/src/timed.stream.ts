import { ModelCall } from 'nestjs-agent-tools/model-kit';

/**
 * Asks for an answer in pieces, with the limits of time. To leave it early aborts the signal of `open`.
 */
export async function* timedStream<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  call: ModelCall,
): AsyncGenerator<T, void, undefined> {
  let finished = false;
  let opening: Promise<AsyncIterator<T>> | undefined;
  try {
    opening = open(call.signal).then((stream) => stream[Symbol.asyncIterator]());
    const iterator = await call.wait(opening, 'firstChunk');
    let next = await call.wait(iterator.next(), 'firstChunk');
    while (!next.done) {
      yield next.value;
      next = await call.wait(iterator.next(), 'betweenChunks');
    }
    finished = true;
  } finally {
    call.close(finished);
    // Not awaited: a stream whose server is silent ends only when it has noticed the abort.
    if (!finished) opening?.then((iterator) => iterator.return?.()).catch(() => {});
  }
}
