import { HttpExchange } from './http-exchange.js';
import type { HttpRequestOptions, SseEnd } from './interfaces/http-request.interface.js';
import { readJson } from './read-json.js';
import { textReader } from './event.readers.js';
import { SseDecoder, UnreadableEvent } from './sse.decoder.js';

/**
 * Sends a JSON body with POST and yields the data of each event of the answer, up to `[DONE]`. A
 * server that answers with one JSON text all the same gives that as the only event. Leaving early
 * closes the connection.
 *
 * @returns How the stream ended; by itself, neither way says that the answer is complete.
 * @throws ChatModelException for an error of the server, in whatever form, and of the network.
 * @throws The reason of `options.signal` if that aborts.
 * @publicApi
 */
export async function* postSse(
  url: string,
  body: unknown,
  options: HttpRequestOptions,
): AsyncGenerator<string, SseEnd, undefined> {
  const exchange = new HttpExchange(url, body, true, options);
  const { exceptions } = exchange;
  try {
    const answer = await exchange.open();
    if (/json|html/.test(answer.response.headers.get('content-type') ?? '')) {
      yield (await readJson(answer, 'an event stream', exceptions)).text;
      return 'done';
    }
    const decoder = new SseDecoder(exceptions, textReader(exceptions));
    for (;;) {
      const bytes = await answer.read();
      for (const event of bytes ? decoder.decode(bytes) : decoder.end()) {
        if (event instanceof UnreadableEvent) throw event.error;
        if (event.startsWith('[DONE]')) {
          await answer.drain();
          return 'done';
        }
        yield event;
      }
      if (!bytes) return 'closed';
    }
  } finally {
    exchange.close();
  }
}
