import type { Usage } from '../interfaces/chat-model.interface.js';
import type { WindowEntry } from './minute.window.js';
import type { RequestQueue } from './request.queue.js';

/** How long a model that was left may take to let go, before another request gets its place. */
const GRACE = 5_000;

/** One request on its way through the queue. */
export class RequestTurn {
  /** Resolves when the request may be sent, or the turn was left; undefined if it may be at once. */
  ready?: Promise<void>;
  /** What it took of the tokens. */
  entry?: WindowEntry;

  private state: 'waiting' | 'running' | 'over' = 'waiting';
  private signal?: AbortSignal;
  private resolve?: () => void;
  private reject?: (reason: unknown) => void;
  private used?: number;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly queue: RequestQueue,
    readonly tokens: number,
  ) {}

  /** @param signal Ends the wait: its reason is thrown. */
  wait(signal: AbortSignal | undefined): void {
    this.ready = new Promise<void>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.signal = signal;
    if (signal?.aborted) this.onAbort();
    else signal?.addEventListener('abort', this.onAbort);
  }

  start(entry: WindowEntry | undefined): void {
    this.state = 'running';
    this.entry = entry;
    this.settle();
  }

  /** The latest usage counts. */
  report(usage: Usage | undefined): void {
    const tokens = usage?.totalTokens;
    if (typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0) this.used = tokens;
  }

  /** Gives the place back when the model lets go, which must be told with `leave()`, or after a while. */
  leaveSoon(): void {
    if (this.state !== 'running') {
      this.leave();
      return;
    }
    this.timer ??= setTimeout(() => this.leave(), GRACE).unref();
  }

  /** Gives the place back, or the place in the queue. May be called again. */
  leave(): void {
    const { state } = this;
    clearTimeout(this.timer);
    this.state = 'over';
    if (state === 'running') this.queue.release(this, this.used);
    if (state !== 'waiting') return;
    this.settle();
    this.queue.giveUp(this);
  }

  private settle(): void {
    this.signal?.removeEventListener('abort', this.onAbort);
    this.resolve?.();
  }

  private readonly onAbort = (): void => {
    this.reject?.(this.signal?.reason);
    this.leave();
  };
}
