import type { ChatResponse } from 'nestjs-agent-tools';
import { decodeAnswer } from 'nestjs-agent-tools/model-kit';
import { ChatCompletionsDecoder } from './chat-completions.decoder.js';

/**
 * Decodes a complete answer. It takes the way of a streamed one, so that both give the same.
 *
 * @param label Who sent the answer, for the exception.
 * @param provider Under whose name it is kept what only its server understands: the `profile` with which
 * it is sent back, or `host:port` of a server that has none.
 * @throws ChatModelException if the answer holds no choice.
 * @publicApi
 */
export function decodeChatCompletion(
  completion: unknown,
  label = 'The server',
  provider = 'openai',
): ChatResponse {
  const decoder = new ChatCompletionsDecoder(provider);
  return decodeAnswer(decoder, completion, label, 'Chat Completions');
}
