/** Node fires a longer timer at once. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Waits, 24 days at most. Leaves neither a timer nor a listener behind.
 *
 * @throws The reason of the first of the signals that aborts.
 */
export function sleep(
  milliseconds: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    for (const signal of signals) signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      stop();
      reject(signals.find((signal) => signal?.aborted)?.reason);
    };
    const timer = setTimeout(
      () => {
        stop();
        resolve();
      },
      Math.min(milliseconds, MAX_TIMER),
    );
    for (const signal of signals) signal?.addEventListener('abort', onAbort);
  });
}
