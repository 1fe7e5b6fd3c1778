import { AsyncLocalStorage } from 'node:async_hooks';

/** The store that guards and interceptors enter; every entry names the one it was written in. */
export const store = new AsyncLocalStorage<string>();

/** Every enhancer and the method write here. State of enhancers lives here, too, so that it starts anew. */
export class Journal {
  entries: string[] = [];
  private counts = new Map<string, number>();

  record(entry: string): void {
    const entered = store.getStore();
    this.entries.push(entered ? `${entry} [${entered}]` : entry);
  }

  /** How often this was asked for the key, this time included. */
  count(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }

  /** What was recorded; the journal is empty then. */
  take(): string[] {
    const taken = this.entries;
    this.entries = [];
    this.counts = new Map();
    return taken;
  }
}
