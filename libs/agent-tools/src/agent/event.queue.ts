/** Hands values from callbacks to one async reader. */
export class EventQueue<T> {
  private items: T[] = [];
  private isClosed = false;
  private wake?: () => void;

  push(item: T): void {
    this.items.push(item);
    this.notify();
  }

  close(): void {
    this.isClosed = true;
    this.notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (;;) {
      const items = this.items;
      this.items = [];
      yield* items;
      if (this.items.length > 0) continue;
      if (this.isClosed) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private notify(): void {
    this.wake?.();
    this.wake = undefined;
  }
}
