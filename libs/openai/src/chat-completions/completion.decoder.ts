import { ChatModelException, ChatStreamAssembler, type ChatResponse } from 'nestjs-agent-tools';
import { ChatCompletionsDecoder } from './chat-completions.decoder.js';

/**
 * Decodes a complete answer. It takes the way of a streamed one, so that both give the same.
 *
 * @param label Who sent the answer, for the exception.
 * @throws ChatModelException if the answer holds no choice.
 * @publicApi
 */
export function decodeChatCompletion(completion: unknown, label = 'The server'): ChatResponse {
  const deltas = new ChatCompletionsDecoder().decodeWhole(completion);
  if (deltas.length === 0) {
    throw new ChatModelException(
      `${label} sent an answer without a message in \`choices\`. ` +
        'Check that the base URL leads to a server that speaks Chat Completions.',
    );
  }
  const assembler = new ChatStreamAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}
