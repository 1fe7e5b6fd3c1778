import {
  toAnthropicSchema,
  toGeminiSchema,
  toOllamaSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  type ToolSchemaDialects,
} from 'nestjs-agent-tools';
import { cachedDialects } from 'nestjs-agent-tools/model-kit';
import type { LangChainModel } from '../interfaces/langchain-model.interface.js';

/** What is known about a LangChain model by its type. */
export interface ModelTraits {
  /** LangChain's word for the provider, such as `openai`. */
  readonly provider: string;
  readonly name: string;
  /** Under which its opaque values are kept. */
  readonly metadataKey: string;
  readonly toolSchemas: ToolSchemaDialects;
  /** Whether it knows `parallel_tool_calls` and takes `strict` tools. */
  readonly isOpenAI: boolean;
  /** Whether it leaves the call option `stop` out of account. */
  readonly lacksStop: boolean;
  /** Whether calls must also be among the blocks of a message's content, if that has blocks. */
  readonly callsAreBlocks: boolean;
  /** Whether it always says why it stopped, so that a stream without that was cut off. */
  readonly givesFinishReason: boolean;
  /** Whether it takes `none` for a tool choice; others would look for a tool of that name, or not heed it. */
  readonly takesNone: boolean;
}

const DIALECTS: readonly (readonly [RegExp, ToolSchemaDialects])[] = [
  [/openai/, cachedDialects({ plain: toOpenAISchema, strict: toOpenAIStrictSchema })],
  [/anthropic/, cachedDialects({ plain: toAnthropicSchema })],
  [/google|gemini|vertex/, cachedDialects({ plain: toGeminiSchema })],
  [/ollama/, cachedDialects({ plain: toOllamaSchema })],
];
const OTHERS = cachedDialects({ plain: toOpenAISchema });

export function traitsOf(model: LangChainModel): ModelTraits {
  const provider = model._llmType();
  const isOpenAI = /openai/.test(provider);
  const isAnthropic = /anthropic/.test(provider);
  const name = textOf(model, 'model') ?? textOf(model, 'modelName');
  return {
    provider,
    name: name ? `${provider}:${name}` : provider,
    metadataKey: `langchain:${provider}`,
    toolSchemas: DIALECTS.find(([type]) => type.test(provider))?.[1] ?? OTHERS,
    isOpenAI,
    lacksStop:
      provider === 'googlegenerativeai' ||
      (isOpenAI && Reflect.get(model, 'useResponsesApi') === true),
    callsAreBlocks: isAnthropic,
    givesFinishReason: isOpenAI || isAnthropic,
    takesNone: !/bedrock|ollama/.test(provider),
  };
}

function textOf(model: LangChainModel, field: string): string | undefined {
  const value: unknown = Reflect.get(model, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
