/** A piece of an answer without its markup. */
export interface AnswerPiece {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}
