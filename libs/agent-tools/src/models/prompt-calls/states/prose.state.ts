import type { ScanContext, ScanState } from '../interfaces/scan.interface.js';
import {
  ACTION,
  CALL_TAG,
  FENCE,
  FINAL_ANSWER,
  isBlank,
  OBSERVATION,
  RESPONSE_TAG,
  THOUGHT,
} from '../markup.js';

const TAGS = [CALL_TAG, RESPONSE_TAG];

/** Text flows, up to the next place at which there may be markup. */
export class ProseState implements ScanState {
  readonly raw = '';

  constructor(private readonly context: ScanContext) {}

  feed(text: string, at: number): number {
    const { output } = this.context;
    let { isLineStart } = output;
    for (let next = at; next < text.length; next++) {
      const character = text[next];
      if (character === '\n') {
        if (output.type === 'reasoning') return this.endThought(text, at, next);
        isLineStart = true;
        continue;
      }
      if (this.open(character, isLineStart, text, at, next)) return next;
      if (!isBlank(character)) isLineStart = false;
    }
    output.show(text.slice(at));
    return text.length;
  }

  end(): void {}

  private open(
    character: string,
    isLineStart: boolean,
    text: string,
    at: number,
    next: number,
  ): boolean {
    if (character === '{' || character === '[') {
      this.context.output.show(text.slice(at, next));
      this.context.toJson({ raw: '', calls: [], isFenced: false });
      return true;
    }
    const patterns =
      character === '<' ? TAGS : isLineStart ? this.patternsOf(character) : undefined;
    if (!patterns) return false;
    this.context.output.show(text.slice(at, next));
    this.context.toOpening({
      patterns,
      before: '',
      onMatch: (pattern) => this.onMatch(pattern),
      onMiss: (held) => {
        this.context.output.show(held);
        this.context.toProse();
      },
    });
    return true;
  }

  private patternsOf(character: string): readonly string[] | undefined {
    const { hasCalls, isFinal } = this.context;
    if (character === '`') return [FENCE];
    if (character === 'O' && hasCalls) return [OBSERVATION];
    if (isFinal) return undefined;
    if (character === 'T') return [THOUGHT];
    if (character === 'A') return [ACTION];
    return character === 'F' ? [FINAL_ANSWER] : undefined;
  }

  private onMatch(pattern: string): void {
    const { context } = this;
    switch (pattern) {
      case CALL_TAG:
        return context.toBlock('');
      case RESPONSE_TAG:
      case OBSERVATION:
        return context.cut();
      case ACTION:
        return context.toAction();
      case FENCE:
        return this.onFence();
      default:
        context.toProse();
        context.hasThought ||= pattern === THOUGHT;
        context.isFinal ||= pattern === FINAL_ANSWER;
        context.output.skipLabel(pattern === THOUGHT ? 'reasoning' : 'text');
        context.output.isLineStart = false;
    }
  }

  private onFence(): void {
    const { context } = this;
    if (!context.isInFence || !context.output.isBlank) {
      context.isInFence = false;
      return context.toFence();
    }
    context.isInFence = false;
    context.toProse();
  }

  /** A thought is one line: an answer may follow it without a label. */
  private endThought(text: string, at: number, next: number): number {
    const { output } = this.context;
    output.show(text.slice(at, next));
    if (!output.isBlank) output.skipLabel('text');
    output.isLineStart = true;
    return next + 1;
  }
}
