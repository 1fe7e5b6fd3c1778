import type { ConcurrencyGate } from './concurrency.gate.js';

/** Told when a call may run, or that it cannot even wait. */
export interface PlaceSeeker {
  onPlace(): void;
  onBusy(): void;
}

/** The place of one call among those that run at the same time. */
export class CallPlace {
  private passed = 0;
  private hasLeft = false;
  private stopWaiting: (() => void) | undefined;

  constructor(
    private readonly gates: readonly ConcurrencyGate[],
    private readonly seeker: PlaceSeeker,
  ) {}

  /** Passes all gates, at once or later. */
  take(): void {
    for (; this.passed < this.gates.length; this.passed++) {
      const gate = this.gates[this.passed];
      if (gate.isFull) {
        this.seeker.onBusy();
        return;
      }
      this.stopWaiting = gate.enter(() => {
        this.stopWaiting = undefined;
        this.passed++;
        // Not at once: each call that ends would begin the next one inside of its own end.
        queueMicrotask(() => this.goOn());
      });
      if (this.stopWaiting) return;
    }
    this.seeker.onPlace();
  }

  private goOn(): void {
    if (!this.hasLeft) this.take();
  }

  /** For a call that ended, and for one that waits no longer. */
  leave(): void {
    this.hasLeft = true;
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    const passed = this.gates.slice(0, this.passed);
    this.passed = 0;
    // The last first: who waits at the one before will need it.
    for (const gate of passed.toReversed()) gate.leave();
  }
}
