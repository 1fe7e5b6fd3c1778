import type { Work } from './tool-of.js';

/** A method that works until it is let go, and knows how many do at the same time. */
export class Held {
  /** Numbers of the calls, in the order in which they began. */
  readonly begun: (number | undefined)[] = [];
  now = 0;
  most = 0;
  private readonly waiting: (() => void)[] = [];

  readonly work: Work = async ({ n }) => {
    this.begun.push(n);
    this.most = Math.max(this.most, ++this.now);
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.now--;
    return n;
  };

  /** Lets the ones that have worked longest go. */
  async release(count = this.waiting.length): Promise<void> {
    for (const go of this.waiting.splice(0, count)) go();
    await turns();
  }

  /** Until nobody works or waits any more. */
  async releaseAll(): Promise<void> {
    while (this.waiting.length > 0) await this.release();
  }
}

/** Lets everything run that needs no timer. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
