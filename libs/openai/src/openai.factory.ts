import type { ChatModel } from 'nestjs-agent-tools';
import type { OpenAIOptions } from './interfaces/openai-options.interface.js';
import { OpenAIChatModel } from './openai-chat.model.js';

/**
 * A chat model of any server that speaks Chat Completions: OpenAI itself, Azure, Groq, DeepSeek,
 * Mistral, OpenRouter, Ollama, vLLM and many more.
 *
 * ```ts
 * openai({ model: 'gpt-5-mini' });
 * openai({ model: 'qwen3', baseURL: 'http://localhost:11434/v1' });
 * ```
 *
 * @publicApi
 */
export function openai(options: OpenAIOptions): ChatModel {
  return new OpenAIChatModel(options);
}
