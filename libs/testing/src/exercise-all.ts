import { ExerciseAllChatModel } from './models/exercise-all-chat.model.js';
import type { ExerciseAllOptions } from './interfaces/exercise-all-options.interface.js';

/**
 * A chat model that calls each tool once in a conversation, with arguments made from its input schema,
 * and then answers with what came back. Shows whether the tools of an application work at all, guards
 * and validation included. The same request gives the same calls.
 *
 * ```ts
 * const model = exerciseAll({ arguments: { findOrder: { orderNo: 'A-1' } } });
 * ```
 *
 * @throws TypeError for an option that there is not
 * @publicApi
 */
export function exerciseAll(options: ExerciseAllOptions = {}): ExerciseAllChatModel {
  return new ExerciseAllChatModel(options);
}
