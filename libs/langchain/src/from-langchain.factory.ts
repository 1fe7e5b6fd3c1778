import {
  ChatModelException,
  withRetries,
  withToolCalling,
  type ChatModel,
} from 'nestjs-agent-tools';
import {
  checkSettings,
  checkOptionNames,
  SETTING_NAMES,
  checkTimeouts,
} from 'nestjs-agent-tools/model-kit';
import type { LangChainModel } from './interfaces/langchain-model.interface.js';
import type { LangChainOptions } from './interfaces/langchain-options.interface.js';
import { lackingSettings } from './lacking-settings.js';
import { LangChainChatModel } from './langchain-chat.model.js';
import { traitsOf } from './model-traits.js';
import { fieldsOf } from './values.js';

const OPTION_NAMES: readonly string[] = [
  // Those that it lacks have a refusal of their own.
  ...SETTING_NAMES,
  ...([
    'name',
    'callOptions',
    'retry',
    'timeouts',
    'toolSchemas',
    'toolCalling',
    'salvage',
  ] satisfies (keyof LangChainOptions)[]),
];

const NO_CONNECT =
  'LangChain does not say when the server has begun to answer. Give `timeouts.firstChunk`.';

/**
 * A chat model of any chat model of LangChain (version 1).
 *
 * ```ts
 * fromLangChain(new ChatAnthropic({ model: 'claude-sonnet-5', temperature: 0 }));
 * ```
 *
 * @throws ChatModelException if the model cannot be given tools, or has a setting that belongs to the
 * LangChain model
 * @publicApi
 */
export function fromLangChain(model: LangChainModel, options: LangChainOptions = {}): ChatModel {
  checkModel(model);
  checkOptionNames('fromLangChain()', options, OPTION_NAMES);
  const known = traitsOf(model);
  const { toolSchemas = known.toolSchemas, name = known.name } = options;
  const traits = { ...known, toolSchemas };
  checkSettings(name, options, lackingSettings(traits));
  checkTimeouts(name, options.timeouts, { connect: NO_CONNECT });
  if (options.toolCalling !== 'prompt') checkTools(name, model);
  const chatModel = new LangChainChatModel(model, options, traits);
  const retried = options.retry ? withRetries(chatModel, options.retry) : chatModel;
  return withToolCalling(retried, options);
}

/** What comes from JavaScript has any form. */
function checkModel(model: unknown): void {
  const { _llmType, invoke, stream } = fieldsOf(model);
  if ([_llmType, invoke, stream].every((method) => typeof method === 'function')) return;
  throw new ChatModelException(
    'fromLangChain() needs a chat model of LangChain, such as new ChatOpenAI({ … }) of @langchain/openai, ' +
      `and got ${typeof model === 'string' ? `the text "${model}"` : 'something else'}. Give the model itself, ` +
      'not one made by `bindTools()`, `withConfig()` or `withFallbacks()`.',
  );
}

function checkTools(name: string, model: LangChainModel): void {
  if (typeof model.bindTools === 'function') return;
  throw new ChatModelException(
    `${name} has no \`bindTools()\`, so LangChain cannot give it tools. For a model that knows no tools, give ` +
      "`toolCalling: 'prompt'`.",
  );
}
