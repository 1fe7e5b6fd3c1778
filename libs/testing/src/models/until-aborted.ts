/** Settles as `work` does, or ends with the reason of the signal, whether `work` heeds that or not. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const free = (): void => signal.removeEventListener('abort', onAbort);
    work.then(resolve, reject).finally(free);
  });
}
