import { ChatModelException, type ChatResponse } from 'nestjs-agent-tools';
import { decodeAnswer, isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { ResponsesDecoder } from './responses.decoder.js';

/**
 * Decodes a whole answer of the Responses API. It takes the way of a streamed one, so that both give
 * the same.
 *
 * @param label Who sent the answer, for the exception.
 * @param provider Under whose name the items are kept that it wants back: the `profile` with which they
 * are sent, or `host:port` of a server that has none.
 * @throws ChatModelException if it is no answer, failed, or is not there yet
 * @publicApi
 */
export function decodeResponse(
  response: unknown,
  label = 'The server',
  provider = 'openai',
): ChatResponse {
  const decoder = new ResponsesDecoder(provider, (error) => toException(error, label));
  return decodeAnswer(decoder, response, label, 'the Responses API');
}

function toException(error: unknown, label: string): ChatModelException {
  const { code, message } = isRecord(error) ? error : {};
  const name = isText(code) ? code : undefined;
  const text = isText(message) ? message : 'it gave no reason.';
  return new ChatModelException(
    `${label} sent an error in its answer${name ? ` (${name})` : ''}: ${text}`,
    { code: name },
  );
}
