import { ChatStreamAssembler } from '../answers/chat-stream.assembler.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatDecoder } from './interfaces/chat-decoder.interface.js';
import type { ChatDelta, ChatResponse } from '../interfaces/chat-model.interface.js';

/**
 * Reads a whole answer with the decoder of a protocol. It takes the way of a streamed one, so that both
 * give the same.
 *
 * @param body from JSON
 * @param label Who sent it, for the exception.
 * @param title What the server should speak, for the exception.
 * @throws ChatModelException if it is no answer of the protocol, or says that it failed
 * @throws ChatStreamException if it is cut off
 * @publicApi
 */
export function decodeAnswer(
  decoder: ChatDecoder,
  body: unknown,
  label: string,
  title: string,
): ChatResponse {
  const assembler = new ChatStreamAssembler();
  for (const delta of decodeDeltas(decoder, body, label, title)) assembler.push(delta);
  return assembler.finish();
}

export function decodeDeltas(
  decoder: ChatDecoder,
  body: unknown,
  label: string,
  title: string,
): readonly ChatDelta[] {
  const deltas = [...decoder.decodeWhole(body)];
  if (deltas.length > 0) return deltas;
  throw new ChatModelException(
    `${label} sent JSON that is no answer. Check that the base URL leads to a server that speaks ${title}.`,
  );
}
