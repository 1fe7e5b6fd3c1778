import type { ScanContext, ScanState, UnmarkedCalls } from '../interfaces/scan.interface.js';
import { JsonTracker } from '../json.tracker.js';
import { readCalls } from '../read-calls.js';

/** JSON that may be a call, without a marker that says so. What cannot be one any more flows on. */
export class JsonState implements ScanState {
  private readonly pieces: string[] = [];
  private readonly tracker = new JsonTracker();

  /** @param unmarked the calls right before it */
  constructor(
    private readonly context: ScanContext,
    private readonly unmarked: UnmarkedCalls,
  ) {}

  get raw(): string {
    return this.unmarked.raw + this.pieces.join('');
  }

  feed(text: string, at: number): number {
    for (let next = at; next < text.length; next++) {
      const progress = this.tracker.push(text[next]);
      if (progress === 'open') continue;
      const end = progress === 'closed' ? next + 1 : next;
      this.pieces.push(text.slice(at, end));
      if (progress === 'closed') this.close();
      else this.giveUp();
      return end;
    }
    this.pieces.push(text.slice(at));
    return text.length;
  }

  end(): void {
    this.giveUp();
  }

  private close(): void {
    const { context, unmarked } = this;
    const json = this.pieces.join('');
    const calls = readCalls(json, context.names, false);
    if (!calls) return this.giveUp();
    unmarked.raw += json;
    for (const call of calls) unmarked.calls.push(call);
    context.toUnmarked(unmarked);
  }

  private giveUp(): void {
    this.context.output.show(this.raw);
    this.context.toProse();
  }
}
