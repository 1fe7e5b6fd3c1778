import { DEFAULT_QUEUE } from '../../agent-tools.constants.js';
import { WaitingLine } from '../../utils/waiting-line.js';
import type { ToolConcurrency } from '../../tools/interfaces/tool-policy.interface.js';

/** Lets so many calls run at the same time, and so many wait for their turn, in their order. */
export class ConcurrencyGate {
  private readonly limit: number;
  private readonly queue: number;
  private readonly waiting = new WaitingLine<() => void>();
  private running = 0;

  constructor(concurrency: ToolConcurrency) {
    const { limit, queue = DEFAULT_QUEUE } =
      typeof concurrency === 'number' ? { limit: concurrency } : concurrency;
    this.limit = limit;
    this.queue = queue;
  }

  /** Whether a call could neither run nor wait. */
  get isFull(): boolean {
    return this.running >= this.limit && this.waiting.size >= this.queue;
  }

  /**
   * Takes a place, at once or later.
   *
   * @returns how to stop waiting, or undefined if the call has its place
   */
  enter(onTurn: () => void): (() => void) | undefined {
    if (this.running < this.limit) {
      this.running++;
      return undefined;
    }
    this.waiting.add(onTurn);
    return () => this.waiting.remove(onTurn);
  }

  /** Gives the place to the call that has waited longest. */
  leave(): void {
    const next = this.waiting.first;
    if (!next) {
      this.running--;
      return;
    }
    this.waiting.remove(next);
    next();
  }
}
