import { ChatModelException, ChatStreamAssembler, type ChatResponse } from 'nestjs-agent-tools';
import { ChatCompletionsDecoder } from './chat-completions.decoder.js';
import type { WireChoice, WireCompletion } from './interfaces/chat-completions.interface.js';

/**
 * Decodes a complete answer. It takes the way of a streamed one, so that both give the same.
 *
 * @param label Who sent the answer, for the exception.
 * @throws ChatModelException if the answer holds no choice.
 * @publicApi
 */
export function decodeChatCompletion(completion: unknown, label = 'The server'): ChatResponse {
  const decoder = new ChatCompletionsDecoder();
  const assembler = new ChatStreamAssembler();
  if (!isCompletion(completion)) {
    throw new ChatModelException(
      `${label} sent an answer without a message in \`choices\`. ` +
        'Check that the base URL leads to a server that speaks Chat Completions.',
    );
  }
  for (const delta of [...decoder.decode(completion), ...decoder.end(true)]) assembler.push(delta);
  return assembler.finish();
}

function isCompletion(value: unknown): value is WireCompletion {
  if (typeof value !== 'object' || value === null || !('choices' in value)) return false;
  const { choices } = value;
  return Array.isArray(choices) && choices.some((choice: WireChoice | null) => choice?.message);
}
