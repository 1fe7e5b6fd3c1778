import { ChatStreamException } from '../exceptions/chat-stream.exception.js';
import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { endOfStream, RelayedStream, type ChatStep } from '../wrapping/relayed.stream.js';
import type { Retries } from './retries.js';
import { readHead } from '../wrapping/stream-head.js';

/** A stream that begins anew after a failure. */
export class RetriedStream extends RelayedStream {
  /** Whether the consumer has pieces of this attempt. */
  private hasStarted = false;
  private hasFinished = false;
  /** The first piece, when the usage was given before it. */
  private first?: ChatDelta;
  private leftEarly?: AbortController;

  constructor(
    private readonly open: () => AsyncIterable<ChatDelta>,
    private readonly retries: Retries,
    private readonly restart: boolean,
  ) {
    super();
  }

  protected async begin(): Promise<ChatStep> {
    for (;;) {
      try {
        return await this.read();
      } catch (error) {
        this.inner = undefined;
        if (this.isOver) return endOfStream();
        this.leftEarly ??= new AbortController();
        if (!(await this.retries.again(error, this.hasStarted, this.leftEarly.signal))) {
          // Who puts the pieces together says what was cut off, and knows what has come of it.
          if (error instanceof CutOffException) return endOfStream();
          throw error;
        }
        if (!this.hasStarted) continue;
        this.hasStarted = false;
        this.hasFinished = false;
        return { done: false, value: { type: 'restart' } };
      }
    }
  }

  protected override stop(): void {
    this.leftEarly?.abort();
  }

  private async read(): Promise<ChatStep> {
    const { first } = this;
    if (first) {
      this.first = undefined;
      return this.give(first);
    }
    this.inner ??= this.open()[Symbol.asyncIterator]();
    if (this.hasStarted) return this.readOn(this.inner);
    const head = await readHead(this.inner);
    if (!head.first) throw new CutOffException([]);
    if (!head.usage) return this.give(head.first);
    this.first = head.first;
    return { done: false, value: head.usage };
  }

  private async readOn(inner: AsyncIterator<ChatDelta, unknown>): Promise<ChatStep> {
    const next = await inner.next();
    if (!next.done) return this.give(next.value);
    if (!this.hasFinished) throw new CutOffException([]);
    return endOfStream();
  }

  private give(value: ChatDelta): ChatStep {
    this.hasStarted = true;
    this.hasFinished ||= value.type === 'finish';
    if (value.type === 'restart') this.hasFinished = false;
    this.isPassing = !this.restart;
    return { done: false, value };
  }
}

/** A stream that ended without a finish. */
class CutOffException extends ChatStreamException {}
