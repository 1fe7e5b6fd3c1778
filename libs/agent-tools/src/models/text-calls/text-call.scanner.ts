import { findMarkup } from './markup.js';
import { CALL_END, CALL_TAG } from './tags.js';
import { readTextCalls, type TextCalls } from './text-calls.reader.js';
import { mayBeWholeCall } from './whole-call.js';

/**
 * `begin`: it is open whether the text is a call as a whole. `text`: all flows but what may be the
 * begin of a tag. `block`: a call block waits for its end. `hold`: there is a call, so nothing flows
 * any more. `cut`: a result was made up, and all that follows is dropped.
 */
type Mode = 'begin' | 'text' | 'block' | 'hold' | 'cut';

/** Reads the calls out of a text that comes in pieces, and lets flow what cannot be one. */
export class TextCallScanner {
  private mode: Mode;
  /** Pieces, since putting them together for each new one would not be linear. */
  private held: string[] = [];
  /** The last characters of an open block, where its end may have begun. */
  private tail = '';
  /** Whether the begin ends with a blank so far. */
  private isBlankEnd = false;

  /** @param names of the tools */
  constructor(private names: ReadonlySet<string>) {
    this.mode = names.size > 0 ? 'begin' : 'text';
  }

  /** Returns what may be shown now. */
  push(piece: string): string {
    switch (this.mode) {
      case 'begin':
        // Another blank changes nothing, and looking at all of them again would not be linear.
        if (this.isBlankEnd && piece.trim() === '') {
          this.held.push(piece);
          return '';
        }
        return this.begin(this.take() + piece);
      case 'text':
        return this.flow(this.take() + piece);
      case 'block':
        return this.continueBlock(piece);
      case 'hold':
        this.held.push(piece);
        return '';
      case 'cut':
        return '';
    }
  }

  /** Nothing is a call from now on. Returns what was held back. */
  giveUp(): string {
    this.names = new Set();
    return this.mode === 'cut' ? '' : this.flow(this.take());
  }

  /** What is left at the end: calls, and text that was held back. */
  finish(): TextCalls {
    const rest = readTextCalls(this.take(), this.names);
    return { ...rest, isCut: rest.isCut || this.mode === 'cut' };
  }

  private begin(text: string): string {
    this.isBlankEnd = text.trimEnd() !== text;
    const mayBeCall = mayBeWholeCall(text);
    if (mayBeCall === false) return this.flow(text);
    if (mayBeCall) this.mode = 'hold';
    this.held.push(text);
    return '';
  }

  private continueBlock(piece: string): string {
    const end = this.tail + piece;
    this.held.push(piece);
    this.tail = end.slice(1 - CALL_END.length);
    return end.includes(CALL_END) ? this.flow(this.take()) : '';
  }

  private flow(text: string): string {
    const markup = findMarkup(text, this.names);
    if (!markup) {
      this.mode = 'text';
      return text;
    }
    const { kind, start } = markup;
    if (kind === 'response') {
      this.mode = 'cut';
      return text.slice(0, start);
    }
    const held = text.slice(start);
    this.held.push(held);
    if (kind === 'call') this.mode = 'hold';
    else this.mode = held.startsWith(CALL_TAG) ? 'block' : 'text';
    this.tail = held.slice(1 - CALL_END.length);
    return text.slice(0, start);
  }

  private take(): string {
    const text = this.held.join('');
    this.held = [];
    return text;
  }
}
