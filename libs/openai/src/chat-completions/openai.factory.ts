import {
  createHttpChatModel,
  requireOptions,
  withToolCalling,
  type ChatModel,
} from 'nestjs-agent-tools';
import { ChatCompletionsProtocol } from './chat-completions.protocol.js';
import type { OpenAIOptions } from './interfaces/openai-options.interface.js';

/**
 * A chat model of any server that speaks Chat Completions: OpenAI itself, Azure, Groq, DeepSeek,
 * Mistral, OpenRouter, Ollama, vLLM and many more.
 *
 * ```ts
 * openai({ model: 'gpt-5-mini' });
 * openai({ model: 'llama-3.3-70b-versatile', profile: 'groq' });
 * openai({ model: 'qwen3', baseURL: 'http://localhost:11434/v1' });
 * ```
 *
 * @throws ChatModelException if an option is not of use, or the provider lacks a setting that is given
 * @publicApi
 */
export function openai(options: OpenAIOptions): ChatModel {
  requireOptions('openai', options);
  const protocol = new ChatCompletionsProtocol(options.profile);
  return withToolCalling(createHttpChatModel(protocol, options), options);
}
