import { getEventListeners } from 'node:events';

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Lets everything run that does not wait for a timer. */
export const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const abortListeners = (signal: AbortSignal): number =>
  getEventListeners(signal, 'abort').length;

/** Resolves when the signal aborts, and leaves no timer behind. */
export const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });

/** A promise that is resolved from outside. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
