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
