import {
  ModelChunkTimeoutException,
  ModelFirstChunkTimeoutException,
  ModelRequestTimeoutException,
  type ChatTimeouts,
} from 'nestjs-agent-tools';

export interface TimedOptions {
  /** Which model, for the exceptions. */
  readonly label: string;
  readonly provider?: string;
  /** The caller's. Its reason is thrown when it aborts. */
  readonly signal?: AbortSignal;
  readonly timeouts?: Omit<ChatTimeouts, 'connect'>;
}

type TimeoutKind = 'firstChunk' | 'betweenChunks' | 'request';

const LIMITS = { firstChunk: 120_000, betweenChunks: 60_000, request: 600_000 };
const EXCEPTIONS = {
  firstChunk: ModelFirstChunkTimeoutException,
  betweenChunks: ModelChunkTimeoutException,
  request: ModelRequestTimeoutException,
};
/** Longer timers fire at once in Node. */
const MAX_TIMER = 2 ** 31 - 1;

/** Asks once, with the limits of time; `work` is told by the signal when it is to stop. */
export async function timedCall<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: TimedOptions,
): Promise<T> {
  const call = new TimedCall(options);
  try {
    const result = await call.wait(work(call.signal), 'firstChunk');
    call.finished = true;
    return result;
  } finally {
    call.close();
  }
}

/** The same for an answer in pieces. To leave it early aborts the signal of `open`. */
export async function* timedStream<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  options: TimedOptions,
): AsyncGenerator<T, void, undefined> {
  const call = new TimedCall(options);
  let opening: Promise<AsyncIterator<T>> | undefined;
  try {
    opening = open(call.signal).then((stream) => stream[Symbol.asyncIterator]());
    const iterator = await call.wait(opening, 'firstChunk');
    for (let kind: TimeoutKind = 'firstChunk'; ; kind = 'betweenChunks') {
      const next = await call.wait(iterator.next(), kind);
      if (next.done) break;
      yield next.value;
    }
    call.finished = true;
  } finally {
    call.close();
    // Not awaited: a stream whose server is silent ends only when it has noticed the abort.
    if (!call.finished) opening?.then((iterator) => iterator.return?.()).catch(() => {});
  }
}

/** Everything that a request must let go of: a listener on the caller's signal, and two timers. */
class TimedCall {
  finished = false;
  private readonly controller = new AbortController();
  private readonly requestTimer?: NodeJS.Timeout;
  private timer?: NodeJS.Timeout;
  private kind?: TimeoutKind;
  private error?: unknown;
  /** Ends the present wait. */
  private end?: (error: unknown) => void;

  constructor(private readonly options: TimedOptions) {
    options.signal?.throwIfAborted();
    options.signal?.addEventListener('abort', this.onCallerAbort);
    this.requestTimer = this.startTimer('request', () => this.expire('request'));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Settles as `work` does, but at once on an abort and at a limit, whether it listens or not. */
  wait<T>(work: Promise<T>, kind: TimeoutKind): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (): void => {
        this.end = undefined;
      };
      const fail = (error: unknown): void => {
        settle();
        reject(this.signal.aborted ? this.error : error);
      };
      work.then((value) => {
        settle();
        resolve(value);
      }, fail);
      if (this.signal.aborted) {
        fail(this.error);
        return;
      }
      this.end = fail;
      this.limit(kind);
    });
  }

  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.requestTimer);
    this.options.signal?.removeEventListener('abort', this.onCallerAbort);
    if (!this.finished && !this.signal.aborted) this.controller.abort();
  }

  private readonly onCallerAbort = (): void => this.abort(this.options.signal?.reason);

  /** A stream waits as often as it has pieces: setting its timer back is cheaper than a new one. */
  private limit(kind: TimeoutKind): void {
    if (kind === this.kind) {
      if (kind === 'betweenChunks') this.timer?.refresh();
      return;
    }
    clearTimeout(this.timer);
    this.kind = kind;
    // The timer runs on while the consumer works; then nobody waits for the model.
    this.timer = this.startTimer(kind, () => this.end && this.expire(kind));
  }

  private startTimer(kind: TimeoutKind, callback: () => void): NodeJS.Timeout | undefined {
    const limit = this.limitOf(kind);
    return limit > 0 && limit < MAX_TIMER ? setTimeout(callback, limit) : undefined;
  }

  private limitOf(kind: TimeoutKind): number {
    return this.options.timeouts?.[kind] ?? LIMITS[kind];
  }

  private expire(kind: TimeoutKind): void {
    const { label, provider } = this.options;
    const limit = this.limitOf(kind);
    const cause = new DOMException(`No data for ${limit} ms.`, 'TimeoutError');
    this.abort(new EXCEPTIONS[kind](label, limit, { provider, cause }));
  }

  private abort(error: unknown): void {
    this.error = error;
    this.controller.abort(error);
    this.end?.(error);
  }
}
