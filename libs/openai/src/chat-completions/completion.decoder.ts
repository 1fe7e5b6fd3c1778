import type { ChatResponse } from 'nestjs-agent-tools';
import { decodeAnswer } from 'nestjs-agent-tools/model-kit';
import { ChatCompletionsDecoder } from './chat-completions.decoder.js';

/**
 * Decodes a complete answer. It takes the way of a streamed one, so that both give the same.
 *
 * @param label Who sent the answer, for the exception.
 * @throws ChatModelException if the answer holds no choice.
 * @publicApi
 */
export function decodeChatCompletion(completion: unknown, label = 'The server'): ChatResponse {
  return decodeAnswer(new ChatCompletionsDecoder(), completion, label, 'Chat Completions');
}
