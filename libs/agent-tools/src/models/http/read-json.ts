import type { HttpBody } from './http-body.js';
import { parseExactJson } from '../../arguments/json/parse-exact-json.js';
import { isErrorBody } from './provider-error.reader.js';
import type { HttpExceptionFactory } from './http-exception.factory.js';

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads an answer that is one JSON text.
 *
 * @param expected What the answer should have been, for the exception.
 * @throws ChatModelException if it is something else, too long, or an error in spite of its status.
 */
export async function readJson(
  body: HttpBody,
  expected: string,
  exceptions: HttpExceptionFactory,
): Promise<{ readonly text: string; readonly json: unknown }> {
  const text = await body.readText(MAX_BYTES);
  if (text === undefined) throw exceptions.fromOverlong(MAX_BYTES);
  let json: unknown;
  try {
    json = parseExactJson(text);
  } catch {
    throw exceptions.fromUnreadable(expected, text, body.response.headers.get('content-type'));
  }
  if (isErrorBody(json)) throw exceptions.fromBody(json);
  return { text, json };
}
