import type { ChatTimeouts } from 'nestjs-agent-tools';
import { ModelCall, isRecord } from 'nestjs-agent-tools/model-kit';
import type { CallableModel, SdkCallOptions } from './interfaces/sdk-call.interface.js';
import type { SdkExceptionFactory } from './errors/sdk-exception.factory.js';

/** How long to wait for the end of a stream that has nothing more to say. */
const DRAIN_TIME = 100;

interface PartReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<unknown>;
}

/** One call of a model. `close()` must follow, whatever happened. */
export class SdkCall {
  private readonly call: ModelCall;
  private readonly options: SdkCallOptions;
  private reader?: PartReader;
  private hasBegun = false;
  private isDone = false;

  /** @throws The reason of `signal` if that is aborted already. */
  constructor(
    private readonly model: CallableModel,
    options: SdkCallOptions,
    readonly exceptions: SdkExceptionFactory,
    signal: AbortSignal | undefined,
    timeouts?: ChatTimeouts,
  ) {
    this.call = new ModelCall(exceptions, { signal, timeouts });
    this.options = { ...options, abortSignal: this.call.signal };
  }

  async generate(): Promise<unknown> {
    const pending = (async () => this.model.doGenerate(this.options))();
    try {
      const answer = await this.call.wait(pending, 'firstChunk');
      this.isDone = true;
      return answer;
    } catch (error) {
      throw this.toException(error);
    }
  }

  async open(): Promise<void> {
    const pending = (async () => this.model.doStream(this.options))();
    try {
      const answer = await this.call.wait(pending, 'firstChunk');
      this.reader = toReader(answer);
    } catch (error) {
      // A provider that does not know of signals answers all the same.
      pending.then((late) => cancel(toReader(late))).catch(() => {});
      throw this.toException(error);
    }
    if (!this.reader) throw this.exceptions.fromUnreadable('a stream');
  }

  /** The next part of the stream, or `undefined` at its end. */
  async read(): Promise<unknown> {
    const { reader, call, hasBegun } = this;
    if (!reader || this.isDone) return undefined;
    try {
      const kind = hasBegun ? 'betweenChunks' : 'firstChunk';
      const { done, value } = await call.wait(reader.read(), kind);
      this.isDone = done;
      // The provider itself puts this one there, before the server has said anything.
      this.hasBegun ||= !isRecord(value) || value.type !== 'stream-start';
      return done ? undefined : value;
    } catch (error) {
      throw this.toException(error);
    }
  }

  /** Takes the end of a stream whose content is complete, so that its connection can be used again. */
  async drain(): Promise<void> {
    try {
      while (this.reader && !this.isDone) {
        const { done } = await this.call.wait(this.reader.read(), 'betweenChunks', DRAIN_TIME);
        this.isDone = done;
      }
    } catch {
      // The answer is complete; how its connection ends is of no interest.
    }
  }

  close(): void {
    if (!this.isDone) cancel(this.reader);
    this.call.close(this.isDone);
  }

  /** The call's own end is thrown as it is. */
  private toException(error: unknown): unknown {
    return this.call.signal.aborted ? error : this.exceptions.fromThrown(error);
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
