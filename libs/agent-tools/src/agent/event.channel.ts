/** How many pieces of text may wait for a slow consumer. */
const BUFFER = 64;

const DONE = { done: true, value: undefined } as const;

/** Told about an event; a promise if the run should wait for its consumer before it goes on. */
export type Emit<T> = (event: T, canRunAhead?: boolean) => Promise<void> | undefined;

/**
 * Hands the events of a run to its one reader. The run waits at each event until the reader asks for
 * the one after it, so a consumer that leaves at a `tool-call` leaves before the tool runs. Only where
 * the run says so may it go ahead, up to a limit: waiting at every piece of text would cost more than
 * the text.
 */
export class EventChannel<T> {
  private queue: T[] = [];
  private taken = 0;
  private reader?: (next: IteratorResult<T, undefined>) => void;
  private failReader?: (error: unknown) => void;
  private writer?: () => void;
  private ending?: { readonly error?: unknown };
  private isDiscarding = false;

  readonly emit: Emit<T> = (event, canRunAhead = false) => {
    if (this.isDiscarding) return undefined;
    if (this.reader) {
      const resolve = this.reader;
      this.reader = undefined;
      resolve({ done: false, value: event });
      return canRunAhead ? undefined : this.untilAsked();
    }
    this.queue.push(event);
    return canRunAhead && this.queue.length - this.taken < BUFFER ? undefined : this.untilAsked();
  };

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.taken < this.queue.length) {
      return Promise.resolve({ done: false, value: this.queue[this.taken++] });
    }
    this.queue = [];
    this.taken = 0;
    if (this.ending) return this.end(this.ending);
    return new Promise((resolve, reject) => {
      this.reader = resolve;
      this.failReader = reject;
      this.release();
    });
  }

  /** What is in the queue can still be read; then comes the end, or once the error. */
  close(ending: { readonly error?: unknown } = {}): void {
    this.ending = ending;
    const { reader, failReader } = this;
    this.reader = undefined;
    if (!reader) return;
    this.ending = {};
    if ('error' in ending) failReader?.(ending.error);
    else reader(DONE);
  }

  /** Nobody reads any more: the run goes on to its end without waiting. */
  discard(): void {
    this.isDiscarding = true;
    this.queue = [];
    this.taken = 0;
    this.ending = {};
    this.reader?.(DONE);
    this.reader = undefined;
    this.release();
  }

  private end(ending: { readonly error?: unknown }): Promise<IteratorResult<T, undefined>> {
    this.ending = {};
    return 'error' in ending ? Promise.reject(ending.error) : Promise.resolve(DONE);
  }

  private untilAsked(): Promise<void> {
    return new Promise((resolve) => {
      this.writer = resolve;
    });
  }

  private release(): void {
    this.writer?.();
    this.writer = undefined;
  }
}
