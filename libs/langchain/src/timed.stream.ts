import { ModelCall } from 'nestjs-agent-tools/model-kit';

/** Asks once, with the limits of time; `work` is told by the signal when it is to stop. */
export async function timedCall<T>(
  work: (signal: AbortSignal) => Promise<T>,
  call: ModelCall,
): Promise<T> {
  let finished = false;
  try {
    const result = await call.wait(work(call.signal), 'firstChunk');
    finished = true;
    return result;
  } finally {
    call.close(finished);
  }
}

/** The same for an answer in pieces. To leave it early aborts the signal of `open`. */
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
