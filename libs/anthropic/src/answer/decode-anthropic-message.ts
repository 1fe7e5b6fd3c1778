import type { ChatResponse } from 'nestjs-agent-tools';
import { decodeAnswer } from 'nestjs-agent-tools/model-kit';
import { AnthropicDecoder } from './anthropic.decoder.js';

/**
 * Decodes a complete answer of the Messages API. It takes the way of a streamed one, so that both give the
 * same.
 *
 * @param label Who sent the answer, for the exception.
 * @throws ChatModelException if the answer has no content.
 * @publicApi
 */
export function decodeAnthropicMessage(message: unknown, label = 'The server'): ChatResponse {
  return decodeAnswer(new AnthropicDecoder(), message, label, "Anthropic's Messages API");
}
