import type { ScanContext, ScanState, UnmarkedCalls } from '../interfaces/scan.interface.js';
import { FENCE, isBlank, OBSERVATION, RESPONSE_TAG } from '../markup.js';

/**
 * There are calls without a marker. They count in a code fence that ends behind them, as the last
 * thing of an answer, or before a made-up result; else they are part of a text.
 */
export class UnmarkedCallsState implements ScanState {
  constructor(
    private readonly context: ScanContext,
    private readonly unmarked: UnmarkedCalls,
  ) {}

  get raw(): string {
    return this.unmarked.raw;
  }

  feed(text: string, at: number): number {
    const { context, unmarked } = this;
    let next = at;
    while (next < text.length && isBlank(text[next])) next++;
    unmarked.raw += text.slice(at, next);
    if (next === text.length) return next;
    if (text[next] === '{' || text[next] === '[') context.toJson(unmarked);
    else this.expectEnd();
    return next;
  }

  end(): void {
    this.context.addCalls(this.unmarked.calls);
  }

  private expectEnd(): void {
    const { context, unmarked } = this;
    context.toOpening({
      patterns: [unmarked.isFenced ? FENCE : OBSERVATION, RESPONSE_TAG],
      before: unmarked.raw,
      onMatch: (pattern) => {
        context.addCalls(unmarked.calls);
        if (pattern === FENCE) context.toProse();
        else context.cut();
      },
      onMiss: (held) => {
        context.output.show(unmarked.raw);
        context.toProse();
        context.read(held);
      },
    });
  }
}
