import type { ChatTimeouts } from '../interfaces/chat-timeouts.interface.js';
import type { ModelExceptionFactory } from './model-exception.factory.js';

/** Longer timers fire at once in Node. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Options of a `ModelCall`.
 *
 * @publicApi
 */
export interface ModelCallOptions {
  /** The caller's. When it aborts, its reason is thrown. */
  readonly signal?: AbortSignal;
  /** @default { connect: 60_000, firstChunk: 120_000, betweenChunks: 60_000, request: 600_000 } */
  readonly timeouts?: ChatTimeouts;
}

/**
 * One call of a model: it ends with the caller's signal and at its limits of time, whether the model's
 * client listens to a signal or not. `close()` must follow, whatever happened.
 *
 * ```ts
 * const call = new ModelCall(new ModelExceptionFactory({ label: 'acme:large' }), { signal, timeouts });
 * let finished = false;
 * try {
 *   const answer = await call.wait(client.ask(prompt, { signal: call.signal }), 'firstChunk');
 *   finished = true;
 * } finally {
 *   call.close(finished);
 * }
 * ```
 *
 * @publicApi
 */
export class ModelCall {
  // One listener on the caller's signal: `AbortSignal.any` costs 25 times as much.
  private readonly controller = new AbortController();
  private readonly caller?: AbortSignal;
  /** In milliseconds; 0 for none. */
  readonly limits: Readonly<Required<ChatTimeouts>>;
  private readonly started = performance.now();
  private readonly requestTimer?: NodeJS.Timeout;
  private error?: unknown;
  /** Ends the present wait. */
  private end?: (error: unknown) => void;
  private timer?: NodeJS.Timeout;
  private kind: keyof ChatTimeouts = 'request';
  private limit = 0;

  /** @throws The reason of `signal` if that is aborted already */
  constructor(
    private readonly exceptions: Pick<ModelExceptionFactory, 'fromTimeout'>,
    { signal, timeouts = {} }: ModelCallOptions = {},
  ) {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', this.onCallerAbort);
    this.caller = signal;
    const { connect = 60_000, firstChunk = 120_000, betweenChunks = 60_000 } = timeouts;
    const { request = 600_000 } = timeouts;
    this.limits = { connect, firstChunk, betweenChunks, request };
    this.requestTimer = startTimer(request, () => this.expire('request', request));
  }

  /** For the model's client. It aborts when the call has ended before its answer. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether the caller has aborted. */
  get isLeft(): boolean {
    return this.caller?.aborted === true;
  }

  /**
   * Settles as `work` does, but ends at once on an abort and at a limit. One wait follows the other.
   *
   * @param kind Which limit holds: `betweenChunks` counts from now, the others from the begin of the call.
   * @param limit Another limit, in milliseconds; 0 for none. @default that of the options
   * @throws ModelTimeoutException that belongs to `kind`; the reason of the caller's signal; what `work` throws
   */
  wait<T>(work: PromiseLike<T>, kind: keyof ChatTimeouts, limit = this.limits[kind]): Promise<T> {
    if (this.signal.aborted) {
      work.then(undefined, () => {});
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
      this.setTimer(kind, limit);
      work.then(succeed, fail);
    });
  }

  /** Lets go of everything, and aborts `signal` if there was more to come. */
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
  private setTimer(kind: keyof ChatTimeouts, limit: number): void {
    if (this.timer && kind === 'betweenChunks' && kind === this.kind && limit === this.limit) {
      this.timer.refresh();
      return;
    }
    clearTimeout(this.timer);
    this.kind = kind;
    this.limit = limit;
    const passed = kind === 'betweenChunks' ? 0 : performance.now() - this.started;
    this.timer = startTimer(limit, () => this.onTimeout(), passed);
  }

  private onTimeout(): void {
    // The timer runs on while the consumer works; then nobody waits for the model.
    if (this.end) this.expire(this.kind, this.limit);
  }

  private expire(kind: keyof ChatTimeouts, limit: number): void {
    const reason = new DOMException(`No data for ${limit} ms.`, 'TimeoutError');
    this.abort(reason, this.exceptions.fromTimeout(kind, limit, reason));
  }

  private abort(reason: unknown, error: unknown): void {
    this.error = error;
    this.controller.abort(reason);
    this.end?.(error);
  }
}

function startTimer(limit: number, callback: () => void, passed = 0): NodeJS.Timeout | undefined {
  return limit > 0 && limit < MAX_TIMER
    ? setTimeout(callback, Math.max(1, limit - passed))
    : undefined;
}
