import {
  ChatModelException,
  withRetries,
  withToolCalling,
  type ChatModel,
} from 'nestjs-agent-tools';
import { checkOptionNames, SETTING_NAMES } from 'nestjs-agent-tools/model-kit';
import { AiSdkChatModel } from './ai-sdk-chat.model.js';
import type {
  AiSdkLanguageModel,
  AiSdkSpecification,
} from './interfaces/ai-sdk-language-model.interface.js';
import type { AiSdkOptions } from './interfaces/ai-sdk-options.interface.js';

const OPTION_NAMES: readonly string[] = [
  // Those that it lacks have a refusal of their own.
  ...SETTING_NAMES,
  ...([
    'providerOptions',
    'toolSchemas',
    'toolImages',
    'retry',
    'timeouts',
    'toolCalling',
    'salvage',
  ] satisfies (keyof AiSdkOptions)[]),
];
const SPECIFICATIONS: readonly AiSdkSpecification[] = ['v2', 'v3', 'v4'];

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
  checkOptionNames('fromAiSdk()', options, OPTION_NAMES);
  return withToolCalling(withRetries(new AiSdkChatModel(model, options), options.retry), options);
}

/** What comes from JavaScript, or from a newer package, has any form. */
function checkModel(model: unknown): void {
  if (!isLanguageModel(model)) {
    const what = typeof model === 'string' ? `the text "${model}"` : 'something else';
    throw new ChatModelException(
      `fromAiSdk() needs a language model of a provider of the AI SDK, such as openai('gpt-5-mini') of ` +
        `@ai-sdk/openai, and got ${what}.`,
    );
  }
  const { specificationVersion: version } = model;
  if (SPECIFICATIONS.includes(version)) return;
  throw new ChatModelException(
    `fromAiSdk() knows the specifications ${SPECIFICATIONS.join(', ')} of language models; ${model.provider}:` +
      `${model.modelId} has ${JSON.stringify(version) ?? 'none'}. Install a version of its package with one of these.`,
  );
}

function isLanguageModel(model: unknown): model is AiSdkLanguageModel {
  if (typeof model !== 'object' || model === null) return false;
  const { provider, modelId, doGenerate, doStream } = model as Partial<AiSdkLanguageModel>;
  return (
    typeof provider === 'string' &&
    typeof modelId === 'string' &&
    typeof doGenerate === 'function' &&
    typeof doStream === 'function'
  );
}
