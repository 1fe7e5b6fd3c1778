import type { ChatDelta } from '../interfaces/chat-model.interface.js';

/** What one `next()` gives. */
export type ChatStep = IteratorResult<ChatDelta, void>;

/**
 * The stream of a wrapper that has something to do before the inner one can be handed on. It is no
 * generator: after that, each piece is the inner stream's own promise, so that this costs nothing, and
 * a consumer that leaves early need not wait until what is pending is done.
 */
export abstract class RelayedStream implements AsyncIterableIterator<ChatDelta, void, undefined> {
  /** The open stream, if there is one. */
  protected inner?: AsyncIterator<ChatDelta, unknown>;
  /** Whether nothing more may be given, or opened. */
  protected isOver = false;
  /** Whether the rest is the inner stream as it is. */
  protected isPassing = false;

  private beginning?: Promise<ChatStep>;
  private leaving?: Promise<ChatStep>;

  next(): Promise<ChatStep> {
    if (this.isOver) return Promise.resolve(endOfStream());
    if (this.isPassing && this.inner) return this.pass(this.inner);
    const { beginning } = this;
    if (!beginning) return (this.beginning = this.advance());
    const again = () => this.next();
    return beginning.then(again, again);
  }

  return(): Promise<ChatStep> {
    this.isOver = true;
    return (this.leaving ??= this.leave());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Gives a piece as long as `isPassing` is not set. One at a time. */
  protected abstract begin(): Promise<ChatStep>;

  /** Ends what `begin()` waits for, if that is not the inner stream. */
  protected stop(): void {
    // Most wait for nothing that could be ended.
  }

  protected pass(inner: AsyncIterator<ChatDelta, unknown>): Promise<ChatStep> {
    return inner.next() as Promise<ChatStep>;
  }

  private async advance(): Promise<ChatStep> {
    try {
      const next = await this.begin();
      if (next.done) this.isOver = true;
      return this.isOver ? endOfStream() : next;
    } catch (error) {
      // A consumer that has left is not told how what it left would have failed.
      if (this.isOver) return endOfStream();
      this.isOver = true;
      throw error;
    } finally {
      this.beginning = undefined;
    }
  }

  private async leave(): Promise<ChatStep> {
    this.stop();
    await this.inner?.return?.();
    return endOfStream();
  }
}

export function endOfStream(): ChatStep {
  return { done: true, value: undefined };
}
