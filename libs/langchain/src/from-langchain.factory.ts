import {
  ChatModelException,
  withRetries,
  withToolCalling,
  type ChatModel,
} from 'nestjs-agent-tools';
import {
  cachedDialects,
  checkOptionNames,
  checkSettings,
  checkTimeouts,
  SETTING_NAMES,
} from 'nestjs-agent-tools/model-kit';
import { checkModel, checkTools } from './checks/check-langchain-model.js';
import type { LangChainModel } from './interfaces/langchain-model.interface.js';
import type { LangChainOptions } from './interfaces/langchain-options.interface.js';
import { lackingSettings, OPTIONS_REMEDY } from './checks/lacking-settings.js';
import { LangChainChatModel } from './langchain-chat.model.js';
import { traitsOf } from './profile/model-traits.js';

const OPTION_NAMES = [
  'stop',
  'parallelToolCalls',
  'name',
  'callOptions',
  'retry',
  'timeouts',
  'toolSchemas',
  'toolCalling',
  'salvage',
] as const satisfies readonly (keyof LangChainOptions)[];
const SETTINGS: readonly string[] = SETTING_NAMES;
const BOUND = "the agent's tools are bound by this package; give a run `tools` and `toolChoice`.";
const TAKEN = [
  ['tools', BOUND],
  ['tool_choice', BOUND],
  ['signal', 'give it to the run.'],
] as const;

const NO_CONNECT =
  'LangChain does not say when the server has begun to answer. Give `timeouts.firstChunk`.';

/**
 * A chat model of any chat model of LangChain (version 1).
 *
 * ```ts
 * fromLangChain(new ChatAnthropic({ model: 'claude-sonnet-5', temperature: 0 }));
 * ```
 *
 * @throws ChatModelException if the model is none of LangChain, cannot be given tools or has some already, or
 * if an option belongs to the LangChain model
 * @publicApi
 */
export function fromLangChain(model: LangChainModel, options: LangChainOptions = {}): ChatModel {
  checkModel(model);
  checkNames(options);
  const known = traitsOf(model);
  const { toolSchemas, name = known.name } = options;
  const traits = toolSchemas ? { ...known, toolSchemas: cachedDialects(toolSchemas) } : known;
  checkSettings(name, options, lackingSettings(traits));
  checkCallOptions(name, options);
  checkTimeouts(name, options.timeouts, { connect: NO_CONNECT });
  if (options.toolCalling !== 'prompt') checkTools(name, model);
  const chatModel = new LangChainChatModel(model, options, traits);
  const retried = options.retry ? withRetries(chatModel, options.retry) : chatModel;
  return withToolCalling(retried, options);
}

/** Settings that LangChain lacks are refused later, each with what to do; none of them is a suggestion. */
function checkNames(options: LangChainOptions): void {
  const others = Object.entries(options).filter(([name]) => !SETTINGS.includes(name));
  checkOptionNames('fromLangChain()', Object.fromEntries(others), OPTION_NAMES, OPTIONS_REMEDY);
}

/** @throws ChatModelException for call options that would get in the way of the agent's own */
function checkCallOptions(name: string, { callOptions = {} }: LangChainOptions): void {
  for (const [option, reason] of TAKEN) {
    if (callOptions[option] === undefined) continue;
    throw new ChatModelException(
      `${name} cannot be set like this: \`callOptions.${option}\`: ${reason}`,
    );
  }
}
