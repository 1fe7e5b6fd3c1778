import { FunctionChatModel } from './models/function-chat.model.js';
import type {
  AnswerFunction,
  FromFunctionOptions,
} from './interfaces/function-answer.interface.js';

/**
 * A chat model from a function, for tests whose answers depend on the request. Each form of an answer
 * serves `generate()` and `stream()` alike.
 *
 * ```ts
 * const model = fromFunction(({ messages }) =>
 *   messages.length > 1 ? 'It was shipped.' : { tool: 'findOrder', arguments: { orderNo: 'A-1' } },
 * );
 * ```
 *
 * @throws TypeError without a function, or for an option that there is not
 * @publicApi
 */
export function fromFunction(
  answer: AnswerFunction,
  options: FromFunctionOptions = {},
): FunctionChatModel {
  return new FunctionChatModel(answer, options);
}
