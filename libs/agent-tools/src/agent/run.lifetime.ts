import type { ChatOptions } from '../models/interfaces/chat-model.interface.js';
import type { RunningCall } from '../execution/calls/running-call.js';

/** Node fires a longer timer at once. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * When a run must end: the caller's signal, the timeout, a consumer that left. There is one child
 * controller for each run and one listener on the caller's signal, removed at the end; the calls
 * that are running are reached through a set.
 */
export class RunLifetime {
  readonly running = new Set<RunningCall>();

  /** Handed to the model. */
  readonly chatOptions: ChatOptions = new LazyChatOptions(this);

  /** Told of each request that is made again. Set if somebody observes the run. */
  onRetry?: ChatOptions['onRetry'];

  /** Told once, after the model and the calls. */
  onAbort?: () => void;

  private controller?: AbortController;
  private timer?: NodeJS.Timeout;
  private waiting?: (reason: unknown) => void;
  private isAborted = false;
  private abortReason: unknown;

  constructor(
    private readonly timeout: number,
    private readonly outer?: AbortSignal,
  ) {}

  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.isAborted) this.controller.abort(this.abortReason);
    }
    return this.controller.signal;
  }

  get aborted(): boolean {
    return this.isAborted;
  }

  get reason(): unknown {
    return this.abortReason;
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
    if (this.timeout > MAX_TIMER) return;
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
    if (this.isAborted) return;
    const { waiting } = this;
    // A consumer that just stops reading never gets the run to its end.
    this.end();
    this.isAborted = true;
    this.abortReason = reason;
    this.controller?.abort(reason);
    for (const call of this.running) call.abortByRun(reason);
    waiting?.(reason);
    this.onAbort?.();
  }

  /**
   * Asks a model and waits for it, which may ignore the signal; does not ask after an abort. One
   * waiter at a time; nothing is left on a long-lived promise, as `Promise.race` would leave it.
   */
  wait<T>(ask: () => PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.aborted) throw this.reason;
      this.waiting = reject;
      ask().then(resolve, reject);
    });
  }

  private readonly onOuterAbort = () => this.abort(this.outer?.reason);
}

/**
 * Makes the signal when a model reads it. The properties are own ones, so that a model which wraps
 * another may spread the options; their getters are shared, because every object with a getter of its
 * own would get a hidden class of its own, which only a full garbage collection frees.
 */
class LazyChatOptions implements ChatOptions {
  static readonly #PROPERTIES: PropertyDescriptorMap & ThisType<LazyChatOptions> = {
    signal: {
      enumerable: true,
      get() {
        return this.#lifetime.signal;
      },
    },
    onRetry: {
      enumerable: true,
      get() {
        return this.#lifetime.onRetry;
      },
    },
  };

  declare readonly signal: AbortSignal;
  declare readonly onRetry: ChatOptions['onRetry'];
  readonly #lifetime: RunLifetime;

  constructor(lifetime: RunLifetime) {
    this.#lifetime = lifetime;
    Object.defineProperties(this, LazyChatOptions.#PROPERTIES);
  }
}
