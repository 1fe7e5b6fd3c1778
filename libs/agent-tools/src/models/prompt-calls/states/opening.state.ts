import type { Opening, ScanState } from '../interfaces/scan.interface.js';

/** There may be markup: its few characters are held back until that is known. */
export class OpeningState implements ScanState {
  private held = '';

  constructor(private readonly opening: Opening) {}

  get raw(): string {
    return this.opening.before + this.held;
  }

  feed(text: string, at: number): number {
    const { patterns, onMatch, onMiss } = this.opening;
    for (let next = at; next < text.length; next++) {
      const held = this.held + text[next];
      if (patterns.includes(held)) {
        onMatch(held);
        return next + 1;
      }
      if (!patterns.some((pattern) => pattern.startsWith(held))) {
        onMiss(this.held);
        return next;
      }
      this.held = held;
    }
    return text.length;
  }

  end(): void {
    this.opening.onMiss(this.held);
  }
}
