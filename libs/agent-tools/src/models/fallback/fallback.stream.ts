import { ChatStreamException } from '../exceptions/chat-stream.exception.js';
import type { ChatDelta, ChatOptions, ChatRequest } from '../interfaces/chat-model.interface.js';
import { endOfStream, RelayedStream, type ChatStep } from '../wrapping/relayed.stream.js';
import { readHead } from '../wrapping/stream-head.js';
import type { FallbackAttempts } from './fallback.attempts.js';

/** The stream of the first model that gives a piece of an answer. */
export class FallbackStream extends RelayedStream {
  /** The first piece, when the usage was given before it. */
  private first?: ChatDelta;

  constructor(
    private readonly attempts: FallbackAttempts,
    private readonly request: ChatRequest,
    private readonly options: ChatOptions,
  ) {
    super();
  }

  protected async begin(): Promise<ChatStep> {
    if (this.first) return this.give(this.first);
    for (;;) {
      try {
        return await this.read();
      } catch (error) {
        const { inner } = this;
        this.inner = undefined;
        if (this.isOver) return endOfStream();
        void close(inner);
        this.attempts.next(error);
      }
    }
  }

  private async read(): Promise<ChatStep> {
    const { attempts, request, options } = this;
    const inner = attempts.model.stream(request, options)[Symbol.asyncIterator]();
    this.inner = inner;
    const { usage, first } = await readHead(inner);
    if (this.isOver) return endOfStream();
    if (!first) throw new ChatStreamException([]);
    // Nothing came before the finish.
    if (first.type === 'finish') {
      attempts.checkAnswer({ content: [], finishReason: first.reason, usage: usage?.usage });
    }
    const spent = attempts.totalUsage(usage?.usage);
    if (!spent) return this.give(first);
    this.first = first;
    return { done: false, value: { type: 'usage', usage: spent } };
  }

  protected override pass(inner: AsyncIterator<ChatDelta, unknown>): Promise<ChatStep> {
    const next = super.pass(inner);
    if (!this.attempts.hasSpent) return next;
    return next.then((step) => (step.done ? step : { ...step, value: this.withSpent(step.value) }));
  }

  private give(value: ChatDelta): ChatStep {
    this.isPassing = true;
    return { done: false, value };
  }

  private withSpent(delta: ChatDelta): ChatDelta {
    if (delta.type !== 'usage') return delta;
    return { ...delta, usage: this.attempts.totalUsage(delta.usage) };
  }
}

/** A useless stream may still be open. A model that does not let go is not waited for. */
async function close(stream: AsyncIterator<ChatDelta, unknown> | undefined): Promise<void> {
  try {
    await stream?.return?.();
  } catch {
    // Its answer was of no use anyhow.
  }
}
