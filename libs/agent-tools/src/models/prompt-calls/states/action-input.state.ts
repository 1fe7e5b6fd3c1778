import type { InputObject, ScanContext, ScanState } from '../interfaces/scan.interface.js';
import { MarkerMatcher } from '../marker.matcher.js';
import { isBlank, LABELS, OBSERVATION, RESPONSE_TAG } from '../markup.js';
import { StringTracker } from '../string.tracker.js';

const TAGS = [RESPONSE_TAG];
const MARKERS = [...TAGS, ...LABELS];
/** A string of JSON has no line breaks, so that with one of these it is broken. */
const MARKERS_IN_STRING = [OBSERVATION];
const NOTHING: readonly string[] = [];
/** What may stand before the object. */
const FENCE_BEGIN = /^\s*```[\w-]*\s*$/;

/**
 * Behind `Action Input:`. The object ends itself, but for what stands behind it; what is none ends
 * with the next label.
 */
export class ActionInputState implements ScanState {
  private readonly pieces: string[] = [];
  private readonly matcher = new MarkerMatcher();
  private readonly strings = new StringTracker();
  private isLineStart = false;
  private isBlank = true;
  private isFenced = false;
  /** Of braces; undefined before the first one, 0 if the input is no object. */
  private depth?: number;

  constructor(
    private readonly context: ScanContext,
    private readonly name: string,
    private readonly before: string,
  ) {}

  get raw(): string {
    return this.before + this.pieces.join('');
  }

  feed(text: string, at: number): number {
    for (let next = at; next < text.length; next++) {
      const character = text[next];
      const marker = this.matcher.push(character, this.markers());
      this.strings.push(character);
      if (character === '\n') this.isLineStart = true;
      else if (!isBlank(character)) this.isLineStart = false;
      if (this.closes(character, text, at, next)) {
        this.pieces.push(text.slice(at, next + 1));
        this.context.toInputEnd(this.object(this.pieces.join('')));
        return next + 1;
      }
      if (marker === undefined) continue;
      this.pieces.push(text.slice(at, next + 1));
      this.close(marker);
      return next + 1;
    }
    this.pieces.push(text.slice(at));
    return text.length;
  }

  end(): void {
    this.close();
  }

  private markers(): readonly string[] {
    if (this.strings.isInside) return this.isLineStart ? MARKERS_IN_STRING : NOTHING;
    return this.isLineStart ? MARKERS : TAGS;
  }

  /** Whether the object ends with this character. */
  private closes(character: string, text: string, at: number, next: number): boolean {
    if (isBlank(character)) return false;
    const isOpening = character === '{' || character === '[';
    if (this.depth === undefined) {
      if (isOpening) {
        const before = this.isBlank ? '' : this.pieces.join('') + text.slice(at, next);
        this.isFenced = FENCE_BEGIN.test(before);
        this.depth = this.isBlank || this.isFenced ? 1 : 0;
      }
      this.isBlank = false;
      return false;
    }
    if (this.depth === 0 || this.strings.isInside) return false;
    if (isOpening) this.depth++;
    else if (character === '}' || character === ']') this.depth--;
    return this.depth === 0;
  }

  private close(marker = ''): void {
    const held = this.pieces.join('');
    this.context.addInput(this.object(held.slice(0, held.length - marker.length)));
    this.context.read(marker);
  }

  private object(input: string): InputObject {
    const { name, before, isFenced } = this;
    return { name, before, input, isFenced };
  }
}
