const MINUTE = 60_000;

/** What was taken at one time. */
export interface WindowEntry {
  readonly at: number;
  amount: number;
  isExpired: boolean;
  next?: WindowEntry;
}

/** Sees to it that no more than so much is taken in any span of a minute. */
export class MinuteWindow {
  private oldest?: WindowEntry;
  private newest?: WindowEntry;
  private taken = 0;

  constructor(private readonly limit: number) {}

  /** Milliseconds after which it is worth asking again; 0 if the amount may be taken now. */
  wait(amount: number, now: number): number {
    this.expire(now);
    const { oldest, taken, limit } = this;
    // What is above the limit by itself would wait for ever.
    if (!oldest || taken <= 0 || taken + amount <= limit) return 0;
    return oldest.at + MINUTE - now;
  }

  take(amount: number, now: number): WindowEntry {
    const entry: WindowEntry = { at: now, amount, isExpired: false };
    if (this.newest) this.newest.next = entry;
    else this.oldest = entry;
    this.newest = entry;
    this.taken += amount;
    return entry;
  }

  /** Less counts as if it had been known; more counts from now on. */
  correct(entry: WindowEntry, amount: number, now: number): void {
    const more = amount - entry.amount;
    if (more > 0) {
      this.take(more, now);
    } else if (!entry.isExpired) {
      entry.amount = amount;
      this.taken += more;
    }
  }

  private expire(now: number): void {
    while (this.oldest && this.oldest.at + MINUTE <= now) {
      this.oldest.isExpired = true;
      this.taken -= this.oldest.amount;
      this.oldest = this.oldest.next;
    }
    if (!this.oldest) this.newest = undefined;
  }
}
