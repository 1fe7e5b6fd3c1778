import type { ChatModel } from 'nestjs-agent-tools';
import { createHttpChatModel, checkOptions } from 'nestjs-agent-tools/model-kit';
import type { OpenAIResponsesOptions } from './interfaces/openai-responses-options.interface.js';
import { ResponsesProtocol } from './responses/responses.protocol.js';

/**
 * A chat model of OpenAI's Responses API, in which the reasoning of a model is kept between its calls.
 * Also of the others that have it: Azure, xAI, OpenRouter, DeepSeek, Groq, Ollama, vLLM and more.
 *
 * ```ts
 * openaiResponses({ model: 'gpt-5', reasoningEffort: 'low', reasoningSummary: 'auto' });
 * openaiResponses({ model: 'gpt-5', baseURL: 'https://RESOURCE.openai.azure.com/openai/v1' });
 * ```
 *
 * @throws ChatModelException if the provider has no Responses API, or lacks a setting that is given
 * @publicApi
 */
export function openaiResponses(options: OpenAIResponsesOptions): ChatModel {
  checkOptions('openaiResponses', options);
  return createHttpChatModel(new ResponsesProtocol(options), options);
}
