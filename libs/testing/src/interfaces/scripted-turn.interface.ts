import type {
  AssistantPart,
  ChatDelta,
  ChatRequest,
  FinishReason,
  Usage,
} from 'nestjs-agent-tools';

/**
 * A call that a scripted model makes.
 *
 * @publicApi
 */
export interface ScriptedCall {
  readonly tool: string;
  /** An object is written as JSON; a string is sent as it is, for calls with broken arguments. @default {} */
  readonly arguments?: unknown;
  /** @default `call_<n>`, counted over the script */
  readonly id?: string;
}

/**
 * What a scripted model answers in one turn: a text, calls, both, or its parts and deltas in full.
 *
 * @publicApi
 */
export type ScriptedTurn =
  | string
  | ScriptedCall
  | readonly ScriptedCall[]
  | ScriptedAnswer
  | { readonly error: unknown }
  | ((request: ChatRequest) => ScriptedTurn);

/**
 * An answer of a scripted model in full.
 *
 * @publicApi
 */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Parts in full, in place of `text` and `calls`. */
  readonly content?: readonly AssistantPart[];
  /**
   * The pieces of the stream, in place of those made from the answer. Given alone, they are also what
   * `generate()` answers; without a `finish` piece at the end it fails, as a broken stream does.
   */
  readonly deltas?: readonly ChatDelta[];
  /** @default 'tool-calls' with calls, else 'stop' */
  readonly finishReason?: FinishReason;
  readonly usage?: Usage;
}
