import type { ScriptedTurn } from './interfaces/scripted-turn.interface.js';
import { ScriptedChatModel } from './models/scripted-chat.model.js';

/**
 * A chat model that answers from a script, for tests without a network.
 *
 * ```ts
 * const model = scripted([{ tool: 'findOrder', arguments: { orderNo: 'A-1' } }, 'It was shipped.']);
 * ```
 *
 * @throws TypeError if the script is no list, or a turn in it is none
 * @publicApi
 */
export function scripted(turns: readonly ScriptedTurn[]): ScriptedChatModel {
  return new ScriptedChatModel(turns);
}
