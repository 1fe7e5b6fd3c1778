import { fieldsOf, listOf, textIn, type Fields } from '../values.js';

/** What the error of a provider's package says, wherever it says it. */
export interface ModelError {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly body?: string;
  readonly requestId?: string;
  readonly retryAfter?: number;
  /** Whether LangChain has found that no second try will help, such as a quota that is used up. */
  readonly isFinal: boolean;
  /** Whether it is a failure of the network. */
  readonly isNetwork: boolean;
}

const MAX_DEPTH = 5;
const REQUEST_IDS = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid', 'cf-ray'];
const NETWORK_CODE = /^(?:E(?:CONN|PIPE|AI_|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH)|UND_ERR_)/;
const NETWORK_TEXT = /fetch failed|network|terminated|socket|connection error|timed? ?out/i;

/** LangChain and the clients below it wrap errors in each other: the first that knows something wins. */
export function readModelError(error: unknown): ModelError {
  const chain = chainOf(error);
  const bodies = chain.map(bodyOf).filter((body) => body !== undefined);
  const headers = chain.flatMap((one) => [one.headers, fieldsOf(one.response).headers]);
  const inner = bodies.map((body) => fieldsOf(fieldsOf(body).error ?? body));
  return {
    message:
      first([...inner, ...chain], ({ message }) => textIn(message)) ??
      (String(error) || 'unknown error'),
    status: first(chain, statusOf),
    code:
      first([...chain, ...inner], ({ code, type }) => textIn(code) ?? textIn(type)) ??
      first(chain, (one) => textIn(one.lc_error_code)),
    body: first(bodies, (body) => (typeof body === 'string' ? body : JSON.stringify(body))),
    requestId:
      first(chain, (one) => textIn(one.requestID) ?? textIn(one.request_id)) ??
      first(REQUEST_IDS, (name) => first(headers, (given) => headerOf(given, name))),
    retryAfter:
      first(headers, retryAfterOf) ??
      first([...chain, ...inner], retryDelayOf) ??
      first(chain, ({ retryAfterMs }) =>
        typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
      ),
    isFinal: chain.some(({ rateLimitType }) => rateLimitType === 'stop'),
    isNetwork: chain.some(isNetwork),
  };
}

function chainOf(error: unknown): Fields[] {
  const chain: Fields[] = [];
  for (let one = error; chain.length < MAX_DEPTH && typeof one === 'object' && one;) {
    chain.push(one as Fields);
    one = (one as Fields).cause;
  }
  return chain;
}

function statusOf(error: Fields): number | undefined {
  const { status, statusCode, status_code, response, $metadata } = error;
  const places = [status, statusCode, status_code, fieldsOf(response).status];
  return [...places, fieldsOf($metadata).httpStatusCode].find(
    (value): value is number => typeof value === 'number' && value >= 400 && value < 600,
  );
}

/** OpenAI's and Anthropic's clients; axios; others. */
function bodyOf({ error, response, body, responseBody }: Fields): unknown {
  return [error, fieldsOf(response).data, body, responseBody].find(
    (value) => (typeof value === 'object' && value !== null) || textIn(value),
  );
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(fieldsOf(headers)).find(([key]) => key.toLowerCase() === name);
  return textIn(entry?.[1]);
}

/** Milliseconds. */
function retryAfterOf(headers: unknown): number | undefined {
  const milliseconds = Number(headerOf(headers, 'retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = headerOf(headers, 'retry-after');
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Google's hint: `{ "retryDelay": "34.4s" }` among the details. */
function retryDelayOf({ errorDetails, details }: Fields): number | undefined {
  return first([...listOf(errorDetails), ...listOf(details)], (detail) => {
    const match = /^(\d+(?:\.\d+)?)s$/.exec(textIn(fieldsOf(detail).retryDelay) ?? '');
    return match ? Math.ceil(Number(match[1]) * 1_000) : undefined;
  });
}

function isNetwork({ code, name, message }: Fields): boolean {
  if (typeof code === 'string' && NETWORK_CODE.test(code)) return true;
  return name === 'TimeoutError' || (typeof message === 'string' && NETWORK_TEXT.test(message));
}

function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}
