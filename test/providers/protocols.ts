import type { ChatModel } from 'nestjs-agent-tools';
import type { HttpChatOptions } from 'nestjs-agent-tools/model-kit';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';

type Options = Omit<HttpChatOptions, 'model'>;

/** Each protocol's factory, with a model that its server would know. */
export const PROTOCOLS: readonly (readonly [string, (options: Options) => ChatModel])[] = [
  ['openai', (options) => openai({ model: 'gpt-5-mini', ...options })],
  ['openaiResponses', (options) => openaiResponses({ model: 'gpt-5-mini', ...options })],
  ['anthropic', (options) => anthropic({ model: 'claude-sonnet-4-5', ...options })],
  ['gemini', (options) => gemini({ model: 'gemini-2.5-flash', ...options })],
];
