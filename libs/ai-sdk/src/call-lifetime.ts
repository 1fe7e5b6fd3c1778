import type { SdkExceptionFactory, TimeoutKind } from './sdk-exception.factory.js';

/** Longer timers fire at once in Node. */
const MAX_TIMER = 2 ** 31 - 1;

/** Everything that a call must let go of: one listener on the caller's signal, and the timers. */
export class CallLifetime {
  private readonly controller = new AbortController();
  private error?: unknown;
  /** Ends the present wait. */
  private fail?: (error: unknown) => void;
  private timer?: NodeJS.Timeout;
  private limit = 0;
  private kind: TimeoutKind = 'request';
  private readonly requestTimer?: NodeJS.Timeout;

  /** @param limit Milliseconds for the whole call; 0 for none. */
  constructor(
    private readonly exceptions: SdkExceptionFactory,
    private readonly caller: AbortSignal | undefined,
    limit: number,
  ) {
    caller?.throwIfAborted();
    caller?.addEventListener('abort', this.onCallerAbort);
    if (isTimer(limit)) this.requestTimer = setTimeout(() => this.expire('request', limit), limit);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * Settles as `work` does, but ends at once on an abort and after `limit` milliseconds, whether the
   * provider listens to the signal or not.
   */
  wait<T>(work: PromiseLike<T>, limit: number, kind: TimeoutKind): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (): void => {
        this.fail = undefined;
      };
      this.fail = (error) => {
        settle();
        reject(error);
      };
      work.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          this.refuse(error, reject);
        },
      );
      if (this.signal.aborted) this.fail(this.error);
      else this.startTimer(limit, kind);
    });
  }

  /** Releases everything, and ends the call if it still runs. */
  close(isDone: boolean): void {
    clearTimeout(this.timer);
    clearTimeout(this.requestTimer);
    this.caller?.removeEventListener('abort', this.onCallerAbort);
    if (!isDone && !this.signal.aborted) this.abort(undefined, undefined);
  }

  /** Whatever a provider throws, the wait must end. */
  private refuse(error: unknown, reject: (error: unknown) => void): void {
    try {
      reject(this.signal.aborted ? this.error : this.exceptions.from(error));
    } catch (failure) {
      reject(failure);
    }
  }

  private readonly onCallerAbort = (): void => {
    this.abort(this.caller?.reason, this.caller?.reason);
  };

  /** A stream waits as often as it has parts, with one limit: setting its timer back is cheaper. */
  private startTimer(limit: number, kind: TimeoutKind): void {
    this.kind = kind;
    if (this.timer && limit === this.limit) {
      this.timer.refresh();
      return;
    }
    clearTimeout(this.timer);
    this.limit = limit;
    this.timer = isTimer(limit) ? setTimeout(() => this.onTimeout(), limit) : undefined;
  }

  private onTimeout(): void {
    // The timer runs on while the consumer works; then nobody waits for the provider.
    if (this.fail) this.expire(this.kind, this.limit);
  }

  private expire(kind: TimeoutKind, limit: number): void {
    const reason = new DOMException(`Nothing came for ${limit} ms.`, 'TimeoutError');
    this.abort(reason, this.exceptions.fromTimeout(kind, limit, reason));
  }

  private abort(reason: unknown, error: unknown): void {
    this.error = error;
    this.controller.abort(reason);
    this.fail?.(error);
  }
}

function isTimer(limit: number): boolean {
  return limit > 0 && limit < MAX_TIMER;
}
