import { withRetries, withToolCalling, type ChatModel } from 'nestjs-agent-tools';
import { checkOptionNames, SETTING_NAMES } from 'nestjs-agent-tools/model-kit';
import { AiSdkChatModel } from './ai-sdk-chat.model.js';
import { checkModel } from './checks/check-sdk-model.js';
import { OPTIONS_REMEDY } from './checks/check-sdk-settings.js';
import type { AiSdkLanguageModel } from './interfaces/ai-sdk-language-model.interface.js';
import type { AiSdkOptions } from './interfaces/ai-sdk-options.interface.js';

const OPTION_NAMES = [
  'temperature',
  'topP',
  'maxTokens',
  'stop',
  'seed',
  'responseFormat',
  'reasoningEffort',
  'headers',
  'providerOptions',
  'toolSchemas',
  'toolImages',
  'retry',
  'timeouts',
  'toolCalling',
  'salvage',
] as const satisfies readonly (keyof AiSdkOptions)[];
const SETTINGS: readonly string[] = SETTING_NAMES;

/**
 * A chat model of any language model of the AI SDK's providers, of specification V2, V3 or V4 (AI SDK 5, 6
 * and 7). The package `ai` is not needed.
 *
 * ```ts
 * import { mistral } from '@ai-sdk/mistral';
 *
 * AgentToolsModule.forRoot({ model: fromAiSdk(mistral('mistral-large-latest')) });
 * ```
 *
 * @throws ChatModelException if the model has another specification, or an option is not of use
 * @publicApi
 */
export function fromAiSdk(model: AiSdkLanguageModel, options: AiSdkOptions = {}): ChatModel {
  checkModel(model);
  checkNames(options);
  return withToolCalling(withRetries(new AiSdkChatModel(model, options), options.retry), options);
}

/** Settings that it lacks are refused later, each with what to do; none of them is a suggestion. */
function checkNames(options: AiSdkOptions): void {
  const others = Object.entries(options).filter(([name]) => !SETTINGS.includes(name));
  checkOptionNames('fromAiSdk()', Object.fromEntries(others), OPTION_NAMES, OPTIONS_REMEDY);
}
