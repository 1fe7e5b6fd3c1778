import type { ScanContext, ScanState } from '../interfaces/scan.interface.js';
import { CALL_TAG, FENCE, isBlank } from '../markup.js';

/** The word behind the begin of a code fence that may contain calls. */
const CALL_LANGUAGE =
  /^(?:json[\dcl]?|tools?|tool_calls?|tool_code|tool_use|function(?:_calls?)?|action|xml|text|plaintext)?$/i;
const LONGEST_LANGUAGE = 20;
const WORD = /[\w-]/;

/** A code fence has begun. What it starts with decides whether it may hold calls. */
export class FenceState implements ScanState {
  private held = FENCE;
  private language = '';
  private isBehindLanguage = false;

  constructor(private readonly context: ScanContext) {}

  get raw(): string {
    return this.held;
  }

  feed(text: string, at: number): number {
    for (let next = at; next < text.length; next++) {
      const character = text[next];
      if (!this.isBehindLanguage && WORD.test(character)) {
        this.language += character;
        if (this.language.length > LONGEST_LANGUAGE) return this.giveUp(next);
      } else if (!this.isBehindLanguage && !CALL_LANGUAGE.test(this.language)) {
        return this.giveUp(next);
      } else if (!isBlank(character)) {
        return this.decide(character, next);
      } else {
        this.isBehindLanguage = true;
      }
      this.held += character;
    }
    return text.length;
  }

  end(): void {
    this.giveUp(0);
  }

  private decide(character: string, next: number): number {
    const { context, held } = this;
    if (character === '{' || character === '[') {
      context.toJson({ raw: held, calls: [], isFenced: true });
      return next;
    }
    if (character !== '<') return this.giveUp(next);
    context.toOpening({
      patterns: [CALL_TAG],
      before: held,
      onMatch: () => context.toBlock(held),
      onMiss: (begun) => {
        this.giveUp(0);
        context.read(begun);
      },
    });
    return next;
  }

  private giveUp(next: number): number {
    this.context.output.show(this.held);
    this.context.toProse();
    return next;
  }
}
