/** A small seeded generator (mulberry32), so that a failure can be repeated by its seed. */
export class Random {
  constructor(private state: number) {}

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** At least `min`, at most `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)];
  }

  list<T>(min: number, max: number, make: () => T): T[] {
    return Array.from({ length: this.integer(min, max) }, make);
  }

  /** The text in pieces of random lengths. */
  split(text: string, longest = 12): string[] {
    const pieces: string[] = [];
    for (let at = 0; at < text.length;) {
      const length = this.integer(1, longest);
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  }
}
