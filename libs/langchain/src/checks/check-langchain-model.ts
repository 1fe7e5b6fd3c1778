import { ChatModelException } from 'nestjs-agent-tools';
import type { LangChainModel } from '../interfaces/langchain-model.interface.js';
import { fieldsOf } from '../values.js';

/**
 * What comes from JavaScript has any form.
 *
 * @throws ChatModelException for what is no chat model of LangChain, or one that has tools already
 */
export function checkModel(model: unknown): asserts model is LangChainModel {
  const { _llmType, invoke, stream, defaultOptions } = fieldsOf(model);
  if (![_llmType, invoke, stream].every((method) => typeof method === 'function')) {
    throw new ChatModelException(
      'fromLangChain() needs a chat model of LangChain, such as new ChatOpenAI({ … }) of @langchain/openai, ' +
        `and got ${describe(model)}. Give the model itself, not one made by \`bindTools()\`, \`withConfig()\` ` +
        'or `withFallbacks()`.',
    );
  }
  // OpenAI's models give a model again, in place of something else that runs.
  const { tools, tool_choice } = fieldsOf(defaultOptions);
  if (tools === undefined && tool_choice === undefined) return;
  throw new ChatModelException(
    'fromLangChain() got a model with tools bound to it. Give the model itself, not one made by `bindTools()`: ' +
      "the agent's tools are bound by this package.",
  );
}

/** @throws ChatModelException if the model cannot be given tools */
export function checkTools(name: string, model: LangChainModel): void {
  if (typeof model.bindTools === 'function') return;
  throw new ChatModelException(
    `${name} has no \`bindTools()\`, so LangChain cannot give it tools. For a model that knows no tools, give ` +
      "`toolCalling: 'prompt'`.",
  );
}

function describe(value: unknown): string {
  if (typeof value === 'string') return `the text "${value}"`;
  if (typeof value === 'function') {
    return `${value.name ? `the function or class ${value.name}` : 'a function'}, not what it makes`;
  }
  const fields = fieldsOf(value);
  const { doGenerate, doEmbed, embedQuery, generate, stream, bound, runnable } = fields;
  if (typeof doGenerate === 'function' || typeof doEmbed === 'function') {
    return 'a model of the AI SDK, which is for fromAiSdk()';
  }
  if (typeof embedQuery === 'function') return 'an embedding model';
  if (bound ?? runnable) return 'a model with tools or options bound to it';
  if (typeof fields._llmType === 'function') return 'a model of LangChain that cannot be streamed';
  if (typeof fields.name === 'string' && typeof generate === 'function' && stream) {
    return 'a chat model of this package, which needs no adapter';
  }
  return value === undefined || value === null ? 'nothing' : 'something else';
}
