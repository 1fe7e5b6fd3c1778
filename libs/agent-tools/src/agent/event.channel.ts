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
  private readers: Reader<T>[] = [];
  private writer?: () => void;
  private ending?: Ending;
  private waits = true;

  readonly emit: Emit<T> = (event, canRunAhead = false) => {
    const reader = this.readers.shift();
    if (reader) reader.resolve({ done: false, value: event });
    else if (this.ending) return undefined;
    else this.queue.push(event);
    if (!this.waits || this.readers.length > 0) return undefined;
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
      this.readers.push({ resolve, reject });
      this.release();
    });
  }

  /** The run goes on without waiting for the reader, who may still read what it did. */
  runFree(): void {
    this.waits = false;
    this.release();
  }

  /** What is in the queue can still be read; then comes the end, or once the error. */
  close(ending: Ending = {}): void {
    this.ending = ending;
    for (const reader of this.readers.splice(0))
      this.end(this.ending).then(reader.resolve, reader.reject);
  }

  /** Nobody reads any more. */
  discard(): void {
    this.queue = [];
    this.taken = 0;
    this.close();
    this.runFree();
  }

  private end(ending: Ending): Promise<IteratorResult<T, undefined>> {
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

interface Ending {
  readonly error?: unknown;
}

interface Reader<T> {
  readonly resolve: (next: IteratorResult<T, undefined>) => void;
  readonly reject: (error: unknown) => void;
}
