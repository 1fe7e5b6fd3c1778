import type { ChatTimeouts } from 'nestjs-agent-tools';
import { CallLifetime } from './call-lifetime.js';
import type { CallableModel, SdkCallOptions } from './interfaces/sdk-call.interface.js';
import { isRecord } from './is-record.js';
import type { SdkExceptionFactory } from './sdk-exception.factory.js';

const FIRST_CHUNK = 120_000;
const BETWEEN_CHUNKS = 60_000;
const REQUEST = 600_000;
/** How long to wait for the end of a stream that has nothing more to say. */
const DRAIN_TIME = 100;

interface PartReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<unknown>;
}

/** One call of a model. `close()` must follow, whatever happened. */
export class SdkCall {
  private readonly lifetime: CallLifetime;
  private readonly options: SdkCallOptions;
  private readonly firstChunk: number;
  private readonly betweenChunks: number;
  private readonly started = performance.now();
  private reader?: PartReader;
  private hasBegun = false;
  private isDone = false;

  /** @throws The reason of `signal` if that is aborted already. */
  constructor(
    private readonly model: CallableModel,
    options: SdkCallOptions,
    readonly exceptions: SdkExceptionFactory,
    signal: AbortSignal | undefined,
    timeouts: ChatTimeouts = {},
  ) {
    this.lifetime = new CallLifetime(exceptions, signal, timeouts.request ?? REQUEST);
    this.options = { ...options, abortSignal: this.lifetime.signal };
    this.firstChunk = timeouts.firstChunk ?? FIRST_CHUNK;
    this.betweenChunks = timeouts.betweenChunks ?? BETWEEN_CHUNKS;
  }

  async generate(): Promise<unknown> {
    const answer = await this.lifetime.wait(
      (async () => this.model.doGenerate(this.options))(),
      this.firstChunk,
      'firstChunk',
    );
    this.isDone = true;
    return answer;
  }

  async open(): Promise<void> {
    const pending = (async () => this.model.doStream(this.options))();
    try {
      const answer = await this.lifetime.wait(pending, this.firstChunk, 'firstChunk');
      this.reader = toReader(answer);
    } catch (error) {
      // A provider that does not know of signals answers all the same.
      pending.then((late) => cancel(toReader(late))).catch(() => {});
      throw error;
    }
    if (!this.reader) throw this.exceptions.fromUnreadable('a stream');
  }

  /** The next part of the stream, or `undefined` at its end. */
  async read(): Promise<unknown> {
    const { reader, lifetime, hasBegun } = this;
    if (!reader || this.isDone) return undefined;
    const { done, value } = hasBegun
      ? await lifetime.wait(reader.read(), this.betweenChunks, 'betweenChunks')
      : await lifetime.wait(reader.read(), this.leftForFirst(), 'firstChunk');
    this.isDone = done;
    // The provider itself puts this one there, before the server has said anything.
    this.hasBegun ||= !isRecord(value) || value.type !== 'stream-start';
    return done ? undefined : value;
  }

  /** Takes the end of a stream whose content is complete, so that its connection can be used again. */
  async drain(): Promise<void> {
    try {
      while (this.reader && !this.isDone) {
        const { done } = await this.lifetime.wait(this.reader.read(), DRAIN_TIME, 'betweenChunks');
        this.isDone = done;
      }
    } catch {
      // The answer is complete; how its connection ends is of no interest.
    }
  }

  close(): void {
    if (!this.isDone) cancel(this.reader);
    this.lifetime.close(this.isDone);
  }

  private leftForFirst(): number {
    if (this.firstChunk <= 0) return 0;
    return Math.max(1, this.firstChunk - (performance.now() - this.started));
  }
}

function toReader(answer: unknown): PartReader | undefined {
  const stream = isRecord(answer) ? answer.stream : undefined;
  if (!isRecord(stream) || typeof stream.getReader !== 'function') return undefined;
  return (stream as unknown as ReadableStream<unknown>).getReader();
}

function cancel(reader: PartReader | undefined): void {
  reader?.cancel().catch(() => {});
}
