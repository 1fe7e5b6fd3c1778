import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import type { Retries } from './retries.js';

/**
 * A stream that begins anew after a failure. It is no generator: once nothing can be repeated any more,
 * each piece is the inner stream's own promise, so that this costs nothing.
 */
export class RetriedStream implements AsyncIterableIterator<ChatDelta, void, undefined> {
  private inner?: AsyncIterator<ChatDelta, unknown>;
  private started = false;
  private isOver = false;

  constructor(
    private readonly open: () => AsyncIterable<ChatDelta>,
    private readonly retries: Retries,
    private readonly restart: boolean,
  ) {}

  next(): Promise<IteratorResult<ChatDelta, void>> {
    if (this.isOver) return Promise.resolve({ done: true, value: undefined });
    if (this.started && !this.restart && this.inner) {
      return this.inner.next() as Promise<IteratorResult<ChatDelta, void>>;
    }
    return this.take();
  }

  async return(): Promise<IteratorResult<ChatDelta, void>> {
    this.isOver = true;
    await this.inner?.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async take(): Promise<IteratorResult<ChatDelta, void>> {
    for (;;) {
      try {
        this.inner ??= this.open()[Symbol.asyncIterator]();
        const next = (await this.inner.next()) as IteratorResult<ChatDelta, void>;
        this.started = true;
        return next;
      } catch (error) {
        this.inner = undefined;
        await this.retries.after(error, this.started);
        if (!this.started) continue;
        this.started = false;
        return { done: false, value: { type: 'restart' } };
      }
    }
  }
}
