import { ChatModelException } from 'nestjs-agent-tools';
import type {
  AiSdkLanguageModel,
  AiSdkSpecification,
} from '../interfaces/ai-sdk-language-model.interface.js';

const SPECIFICATIONS: readonly AiSdkSpecification[] = ['v2', 'v3', 'v4'];

/**
 * What comes from JavaScript, or from a newer package, has any form.
 *
 * @throws ChatModelException for what is no language model, or one of another specification
 */
export function checkModel(model: unknown): asserts model is AiSdkLanguageModel {
  if (!isLanguageModel(model)) {
    throw new ChatModelException(
      `fromAiSdk() needs a language model of a provider of the AI SDK, such as openai('gpt-5-mini') of ` +
        `@ai-sdk/openai, and got ${describe(model)}.`,
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

function describe(given: unknown): string {
  if (typeof given === 'string') return `the text "${given}"`;
  if (given === undefined || given === null) return 'nothing';
  const has = (method: string): boolean =>
    typeof Reflect.get(Object(given) as object, method) === 'function';
  // Of a provider, which is most often a function as well.
  if (has('languageModel') || has('embeddingModel')) {
    return "the provider. Call it with the name of a model: openai('gpt-5-mini')";
  }
  if (typeof given === 'function') return 'a function. Give what it makes';
  if (has('_llmType')) return 'a model of LangChain, which is for fromLangChain()';
  if (has('doEmbed')) return 'an embedding model';
  if (has('doGenerate'))
    return 'a model for something else than language, such as images or speech';
  if (has('generate') && has('stream')) {
    return 'a chat model of this package, which needs no adapter';
  }
  return 'something else';
}
