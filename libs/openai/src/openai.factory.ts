import type { ChatModel } from 'nestjs-agent-tools';
import { createHttpChatModel, checkOptions } from 'nestjs-agent-tools/model-kit';
import { ChatCompletionsProtocol } from './chat-completions/chat-completions.protocol.js';
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
 * @throws as `createHttpChatModel()` does
 * @publicApi
 */
export function openai(options: OpenAIOptions): ChatModel {
  checkOptions('openai', options);
  const protocol = new ChatCompletionsProtocol(options.profile);
  return createHttpChatModel(protocol, options);
}
