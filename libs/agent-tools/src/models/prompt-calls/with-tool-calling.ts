import type { ChatModel } from '../interfaces/chat-model.interface.js';
import { TextCallsModel } from '../text-calls/text-calls.model.js';
import { checkChatModel } from '../wrapping/check-chat-model.js';
import type { ToolCallingOptions } from './interfaces/tool-calling-options.interface.js';
import { PromptCallsModel } from './prompt-calls.model.js';

/**
 * Gives a model another way to call tools. The factories of this package take the same options; this
 * is for the models of an application.
 *
 * ```ts
 * withToolCalling(new OurModel(), { toolCalling: 'prompt' });
 * ```
 *
 * @returns the model itself if the options are the defaults
 * @throws TypeError if `toolCalling` is another word, or the model is none
 * @publicApi
 */
export function withToolCalling(model: ChatModel, options: ToolCallingOptions = {}): ChatModel {
  checkChatModel(model, 'withToolCalling()');
  const { toolCalling = 'native', salvage = false } = options;
  switch (toolCalling) {
    case 'native':
      return salvage ? new TextCallsModel(model) : model;
    case 'prompt':
      return new PromptCallsModel(model);
    default:
      throw new TypeError(
        `The model "${model.name}" has \`toolCalling: ${JSON.stringify(toolCalling)}\`. ` +
          "Use 'native' or 'prompt'.",
      );
  }
}
