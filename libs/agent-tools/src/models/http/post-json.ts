import { HttpExchange } from './http-exchange.js';
import type { HttpRequestOptions } from './interfaces/http-request.interface.js';
import { readJson } from './read-json.js';

/**
 * Sends a JSON body with POST and resolves to the JSON of the answer.
 *
 * @throws ChatModelException for an error of the server, in whatever form, and of the network.
 * @throws The reason of `options.signal` if that aborts.
 * @publicApi
 */
export async function postJson(
  url: string,
  body: unknown,
  options: HttpRequestOptions,
): Promise<unknown> {
  const exchange = new HttpExchange(url, body, false, options);
  try {
    const answer = await exchange.open();
    const { json } = await readJson(answer, 'JSON', exchange.exceptions);
    return json;
  } finally {
    exchange.close();
  }
}
