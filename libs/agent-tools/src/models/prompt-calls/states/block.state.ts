import type { ScanContext, ScanState } from '../interfaces/scan.interface.js';
import { MarkerMatcher } from '../marker.matcher.js';
import { CALL_END, CALL_TAG, RESPONSE_TAG } from '../markup.js';
import { readCalls } from '../read-calls.js';
import { StringTracker } from '../string.tracker.js';

const ENDS = [CALL_END, CALL_TAG, RESPONSE_TAG];
/** The others may be part of an argument. */
const ENDS_IN_STRING = [CALL_END];

/** Inside of a `<tool_call>`. Models forget its end, before another one or before a made-up result. */
export class BlockState implements ScanState {
  private readonly pieces: string[] = [];
  private readonly matcher = new MarkerMatcher();
  private readonly strings = new StringTracker();

  constructor(
    private readonly context: ScanContext,
    private readonly before: string,
  ) {}

  get raw(): string {
    return this.before + CALL_TAG + this.pieces.join('');
  }

  feed(text: string, at: number): number {
    for (let next = at; next < text.length; next++) {
      const end = this.matcher.push(text[next], this.strings.isInside ? ENDS_IN_STRING : ENDS);
      this.strings.push(text[next]);
      if (!end) continue;
      this.pieces.push(text.slice(at, next + 1));
      const held = this.pieces.join('');
      this.close(held.slice(0, -end.length), end);
      return next + 1;
    }
    this.pieces.push(text.slice(at));
    return text.length;
  }

  end(): void {
    this.close(this.pieces.join(''));
  }

  private close(content: string, end?: string): void {
    const { context, before } = this;
    const calls = readCalls(content, context.names, true);
    if (calls) {
      context.addCalls(calls);
      context.isInFence ||= before !== '';
    } else {
      context.output.show(before + CALL_TAG + content + (end === CALL_END ? CALL_END : ''));
    }
    if (end === RESPONSE_TAG) context.cut();
    else if (end === CALL_TAG) context.toBlock('');
    else context.toProse();
  }
}
