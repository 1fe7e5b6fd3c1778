import type { ChatTimeouts } from '../interfaces/chat-timeouts.interface.js';
import type { ProviderExceptionFactory } from './provider-exception.factory.js';

/** Which of the limits. */
export type TimeoutKind = keyof ChatTimeouts;

/** Longer timers fire at once in Node. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Everything that a request must let go of: one listener on the caller's signal (`AbortSignal.any`
 * costs 25 times as much), the timers, and the connection.
 */
export class RequestLifetime {
  private readonly controller = new AbortController();
  private error?: unknown;
  /** Ends the present wait. */
  private end?: (error: unknown) => void;
  private timer?: NodeJS.Timeout;
  private limit = 0;
  private kind?: TimeoutKind;
  private readonly requestTimer?: NodeJS.Timeout;

  /** @param limit Milliseconds for the whole request; 0 for none. */
  constructor(
    readonly exceptions: ProviderExceptionFactory,
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

  /** Whether the caller has aborted. */
  get isLeft(): boolean {
    return this.caller?.aborted === true;
  }

  /**
   * Settles as `work` does, but ends at once on an abort and after `limit` milliseconds of silence,
   * whether `work` listens to the signal or not.
   *
   * @param kind Which limit it is, for the exception.
   */
  wait<T>(work: Promise<T>, limit: number, kind?: TimeoutKind): Promise<T> {
    if (this.signal.aborted) {
      work.catch(() => {});
      return Promise.reject(this.error);
    }
    return new Promise<T>((resolve, reject) => {
      const succeed = (value: T): void => {
        this.end = undefined;
        resolve(value);
      };
      const fail = (error: unknown): void => {
        this.end = undefined;
        reject(this.signal.aborted ? this.error : error);
      };
      this.end = fail;
      this.startTimer(limit, kind);
      work.then(succeed, fail);
    });
  }

  /** @param finished Whether the connection is free for another request. */
  close(finished: boolean): void {
    clearTimeout(this.timer);
    clearTimeout(this.requestTimer);
    this.caller?.removeEventListener('abort', this.onCallerAbort);
    if (!finished && !this.signal.aborted) this.abort(undefined, undefined);
  }

  private readonly onCallerAbort = (): void => {
    this.abort(this.caller?.reason, this.caller?.reason);
  };

  /** A stream waits as often as it has pieces, with one limit: setting its timer back is cheaper. */
  private startTimer(limit: number, kind: TimeoutKind | undefined): void {
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
    // The timer runs on while the consumer works; then nobody waits for the server.
    if (this.end) this.expire(this.kind, this.limit);
  }

  private expire(kind: TimeoutKind | undefined, limit: number): void {
    const reason = new DOMException(`No data for ${limit} ms.`, 'TimeoutError');
    this.abort(reason, this.exceptions.fromTimeout(kind, limit, reason));
  }

  private abort(reason: unknown, error: unknown): void {
    this.error = error;
    this.controller.abort(reason);
    this.end?.(error);
  }
}

function isTimer(limit: number): boolean {
  return limit > 0 && limit < MAX_TIMER;
}
