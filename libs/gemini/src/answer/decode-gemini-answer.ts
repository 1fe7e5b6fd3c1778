import { ChatModelException, type ChatResponse } from 'nestjs-agent-tools';
import { decodeAnswer } from 'nestjs-agent-tools/model-kit';
import { GenerateContentDecoder } from './generate-content.decoder.js';

/**
 * Decodes a whole answer. It takes the way of a streamed one, so that both give the same.
 *
 * @param answer from JSON; a list of the pieces of a stream is taken, too
 * @param label Who sent the answer, for the exception.
 * @throws ChatModelException if the answer holds no candidate, or says that the model failed
 * @throws ChatStreamException if it is cut off
 * @publicApi
 */
export function decodeGeminiAnswer(answer: unknown, label = 'The server'): ChatResponse {
  const decoder = new GenerateContentDecoder(
    ({ error: { status: code, message } }) =>
      new ChatModelException(`${label} sent an error in its answer (${code}): ${message}`, {
        code,
      }),
  );
  return decodeAnswer(decoder, answer, label, 'the Gemini API');
}
