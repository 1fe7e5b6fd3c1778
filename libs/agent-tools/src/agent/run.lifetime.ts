import type { RunningCall } from '../execution/running-call.js';

/**
 * When a run must end: the caller's signal, the timeout, a consumer that left. There is one child
 * controller for each run and one listener on the caller's signal, removed at the end; the calls
 * that are running are reached through a set.
 */
export class RunLifetime {
  readonly running = new Set<RunningCall>();

  private readonly controller = new AbortController();
  private timer?: NodeJS.Timeout;
  private waiting?: (reason: unknown) => void;

  constructor(
    private readonly timeout: number,
    private readonly outer?: AbortSignal,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get aborted(): boolean {
    return this.controller.signal.aborted;
  }

  get reason(): unknown {
    return this.controller.signal.reason;
  }

  get timedOut(): boolean {
    return this.reason instanceof DOMException && this.reason.name === 'TimeoutError';
  }

  start(): void {
    if (this.outer?.aborted) {
      this.abort(this.outer.reason);
      return;
    }
    this.outer?.addEventListener('abort', this.onOuterAbort, { once: true });
    this.timer = setTimeout(() => {
      this.abort(new DOMException(`The run timed out after ${this.timeout} ms.`, 'TimeoutError'));
    }, this.timeout);
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onOuterAbort);
    this.waiting = undefined;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.controller.abort(reason);
    for (const call of this.running) call.abortByRun(reason);
    this.waiting?.(reason);
  }

  /**
   * Waits for a promise of a model, which may ignore the signal. One waiter at a time; nothing is
   * left on a long-lived promise, as `Promise.race` would leave it.
   */
  wait<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting = reject;
      promise.then(resolve, reject);
      if (this.aborted) reject(this.reason as Error);
    });
  }

  private readonly onOuterAbort = () => this.abort(this.outer?.reason);
}
