/** A call that a model wrote as text. */
export interface TextCall {
  readonly name: string;
  /** As they were written: JSON text, if the model made no mistake. */
  readonly arguments: string;
}
