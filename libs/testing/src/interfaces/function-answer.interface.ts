import type { ChatDelta, ChatOptions, ChatRequest, ChatResponse } from 'nestjs-agent-tools';
import type { ScriptedTurn } from './scripted-turn.interface.js';

/**
 * What a function may answer in place of a model: a turn as in a script (a text, a call, several calls,
 * an error …), a whole response, or the pieces of a stream.
 *
 * @publicApi
 */
export type FunctionAnswer = ScriptedTurn | ChatResponse | AsyncIterable<ChatDelta>;

/**
 * A function that answers in place of a model. Its errors are those of the model.
 *
 * @publicApi
 */
export type AnswerFunction = (
  request: ChatRequest,
  options: ChatOptions,
) => FunctionAnswer | Promise<FunctionAnswer>;

/**
 * Options of `fromFunction()`.
 *
 * @publicApi
 */
export interface FromFunctionOptions {
  /** Name of the model, for logs and errors. @default 'function' */
  readonly name?: string;
}
