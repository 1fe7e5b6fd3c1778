import type { AnswerPiece } from './interfaces/answer-piece.interface.js';

/** What is shown of an answer: text and reasoning, without blanks that only separate markup. */
export class AnswerOutput {
  /** Whether what comes next is at the begin of a line. */
  isLineStart = true;
  /** Whether nothing but blanks came since the last markup. */
  isBlank = true;
  type: AnswerPiece['type'] = 'text';

  private pieces: AnswerPiece[] = [];
  private blanks = '';
  private dropsBlanks = false;
  private hasMarkup = false;

  show(text: string): void {
    if (text === '') return;
    this.trackLine(text);
    if (!this.isBlank) return this.add(text);
    const start = text.search(/\S/);
    if (start < 0) {
      this.blanks += text;
      return;
    }
    this.isBlank = false;
    this.add(this.dropsBlanks ? text.slice(start) : this.blanks + text);
    this.blanks = '';
  }

  /** Calls stood here. Blanks around them are kept only if text follows. */
  skipCalls(): void {
    this.begin('text', false);
    this.isLineStart = true;
  }

  /** A label stood here, or the line of one ended. */
  skipLabel(type: AnswerPiece['type']): void {
    this.begin(type, true);
  }

  take(): AnswerPiece[] {
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }

  /** Without markup the answer stays as it is, to the last blank. */
  end(): void {
    if (!this.hasMarkup && this.blanks !== '') this.add(this.blanks);
    this.blanks = '';
  }

  private begin(type: AnswerPiece['type'], dropsBlanks: boolean): void {
    this.type = type;
    this.isBlank = true;
    this.blanks = '';
    this.dropsBlanks = dropsBlanks;
    this.hasMarkup = true;
  }

  private add(text: string): void {
    const last = this.pieces.at(-1);
    if (last?.type === this.type) {
      this.pieces[this.pieces.length - 1] = { type: this.type, text: last.text + text };
    } else {
      this.pieces.push({ type: this.type, text });
    }
  }

  private trackLine(text: string): void {
    let end = text.length;
    while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
    if (end > 0) this.isLineStart = text[end - 1] === '\n';
  }
}
