import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits. Leaves neither a timer nor a listener behind.
 *
 * @throws The reason of the signal if it aborts.
 */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  try {
    await pause(milliseconds, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
