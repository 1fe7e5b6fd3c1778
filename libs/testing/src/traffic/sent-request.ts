import { parseExactJson } from './recorded-body.js';
import { readSecrets } from './secrets.reader.js';

/** A request as `fetch` was given it. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Its credentials. */
  readonly secrets: readonly string[];
  /** For a `fetch` that is to send it: the arguments, unless their body could be read only once. */
  readonly args: Parameters<typeof fetch>;
}

/** Reads the arguments of a `fetch`. */
export async function readRequest(...given: Parameters<typeof fetch>): Promise<SentRequest> {
  const [input, init] = given;
  let args = given;
  let request: Request;
  let url: URL;
  if (input instanceof Request || isReadOnce(init?.body)) {
    const sent = new Request(input, init);
    request = sent.clone();
    url = new URL(request.url);
    args = [sent];
  } else {
    url = new URL(input);
    // The signal is not for reading, and the platform would listen to it for as long as it lives.
    request = new Request(withoutUser(url), { ...init, signal: undefined });
  }
  const { method, headers } = request;
  const body = Buffer.from(await request.arrayBuffer());
  const secrets = readSecrets(headers, url, parseExactJson(body.toString()));
  return { method, url, headers, body, secrets, args };
}

/** The platform makes no request from a URL with a user in it; a replaced `fetch` may. */
function withoutUser(url: URL): URL {
  const result = new URL(url);
  result.username = '';
  result.password = '';
  return result;
}

function isReadOnce(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
