import type { ConcurrencyGate } from './concurrency.gate.js';

/** The place of one call among those that run at the same time. */
export class CallPlace {
  private passed = 0;
  private stopWaiting: (() => void) | undefined;

  constructor(private readonly gates: readonly ConcurrencyGate[]) {}

  /**
   * Passes all gates, at once or later.
   *
   * @returns whether there was a place to run or to wait
   */
  take(onPlace: () => void): boolean {
    for (; this.passed < this.gates.length; this.passed++) {
      const gate = this.gates[this.passed];
      if (gate.isFull) return false;
      this.stopWaiting = gate.enter(() => {
        this.stopWaiting = undefined;
        this.passed++;
        this.take(onPlace);
      });
      if (this.stopWaiting) return true;
    }
    onPlace();
    return true;
  }

  /** For a call that ended, and for one that waits no longer. */
  leave(): void {
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    for (const gate of this.gates.slice(0, this.passed)) gate.leave();
    this.passed = 0;
  }
}
