import type { TextCall } from '../../text-calls/interfaces/text-call.interface.js';
import type { AnswerOutput } from '../answer.output.js';

/** One way in which the text of an answer is looked at. Only new pieces are, whatever is held back. */
export interface ScanState {
  /** Reads on from a place. Returns how far it came; another state may be entered by then. */
  feed(text: string, at: number): number;
  /** The answer ends here, and is whole. */
  end(): void;
  /** What is held back, as it was written. */
  readonly raw: string;
}

/** Calls without a marker: they count if nothing follows that makes them part of a text. */
export interface UnmarkedCalls {
  raw: string;
  readonly calls: TextCall[];
  readonly isFenced: boolean;
}

/** What stands behind an `Action Input:`. */
export interface InputObject {
  readonly name: string;
  /** What was held back before the input. */
  readonly before: string;
  /** As it was written, with the code fence around it. */
  readonly input: string;
  readonly isFenced: boolean;
}

/** What is looked for, and what is done when it is there or is not. */
export interface Opening {
  readonly patterns: readonly string[];
  /** What was held back before it. */
  readonly before: string;
  readonly onMatch: (pattern: string) => void;
  /** @param held what had matched so far */
  readonly onMiss: (held: string) => void;
}

/** What the states share. */
export interface ScanContext {
  /** Of the tools. */
  readonly names: ReadonlySet<string>;
  readonly output: AnswerOutput;
  readonly hasCalls: boolean;
  /** Whether the answer came to a `Thought:`, so that it has the ReAct form. */
  hasThought: boolean;
  /** Whether the answer came to its `Final Answer:`, behind which no other label counts. */
  isFinal: boolean;
  /** Whether the end of a code fence around calls is still to come. */
  isInFence: boolean;
  addCalls(calls: readonly TextCall[]): void;
  /** The same for an input; then goes on with text. */
  addInput(object: InputObject): void;
  /** The model made up a result: nothing from here on counts. */
  cut(): void;
  /** Reads text that was held back, in the state that was entered since. */
  read(text: string): void;
  toProse(): void;
  toOpening(opening: Opening): void;
  toFence(): void;
  toJson(unmarked: UnmarkedCalls): void;
  toUnmarked(unmarked: UnmarkedCalls): void;
  /** @param before the begin of the code fence around the block */
  toBlock(before: string): void;
  toAction(): void;
  /** @param before as it was written, up to the input */
  toActionInput(name: string, before: string): void;
  /** Behind the object of an input. */
  toInputEnd(object: InputObject): void;
  /** Something stands behind it. */
  toInputRest(object: InputObject): void;
}
