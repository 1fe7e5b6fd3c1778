/** Something that needs a timer if it is not over within this turn of the event loop. */
export interface Timed {
  startTimer(): void;
}

/**
 * Most calls end within the turn of the event loop in which they begin, and a timer for each would be
 * a good part of what a call costs. So timers are made at the end of the turn, for those that are left.
 */
export class DeferredTimers {
  private readonly waiting = new Set<Timed>();
  private isScheduled = false;

  add(one: Timed): void {
    this.waiting.add(one);
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.startAll());
  }

  remove(one: Timed): void {
    this.waiting.delete(one);
  }

  private startAll(): void {
    this.isScheduled = false;
    for (const one of this.waiting) one.startTimer();
    this.waiting.clear();
  }
}
