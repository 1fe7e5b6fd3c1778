import { ChatModelException, ChatStreamAssembler, type ChatResponse } from 'nestjs-agent-tools';
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
  const deltas = new AnthropicDecoder().decodeWhole(message);
  if (deltas.length === 0) {
    throw new ChatModelException(
      `${label} sent an answer without \`content\`. ` +
        "Check that the base URL leads to a server that speaks Anthropic's Messages API.",
    );
  }
  const assembler = new ChatStreamAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}
