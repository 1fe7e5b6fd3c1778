import type { ChatModel } from 'nestjs-agent-tools';
import { createHttpChatModel, checkOptions } from 'nestjs-agent-tools/model-kit';
import { AnthropicProtocol } from './anthropic.protocol.js';
import { checkThinking } from './request/check-thinking.js';
import type { AnthropicOptions } from './interfaces/anthropic-options.interface.js';
import { PausedTurns } from './paused-turns/paused-turns.middleware.js';

/**
 * A chat model of Anthropic's, or of a server that speaks its Messages API.
 *
 * ```ts
 * anthropic({ model: 'claude-sonnet-5' });
 * anthropic({ model: 'claude-haiku-4-5', reasoningBudget: 4_000, cache: true });
 * ```
 *
 * @throws ChatModelException if the model lacks a setting that is given, or settings do not go together
 * @publicApi
 */
export function anthropic(options: AnthropicOptions): ChatModel {
  checkOptions('anthropic', options);
  for (const name of ['serverTools', 'betas'] as const) {
    if (options[name] === undefined || Array.isArray(options[name])) continue;
    throw new TypeError(`anthropic({ ${name} }) needs a list.`);
  }
  const turns = new PausedTurns(options);
  const model = createHttpChatModel(new AnthropicProtocol(options), options, turns);
  checkThinking(options.model, options);
  return model;
}
