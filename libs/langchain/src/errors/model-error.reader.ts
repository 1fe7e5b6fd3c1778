import { isNetworkError, readProviderError, type ModelFailure } from 'nestjs-agent-tools/model-kit';
import { fieldsOf, listOf, textIn, type Fields } from '../values.js';

const MAX_DEPTH = 5;
/** LangChain and the clients below it add these to what the provider said. */
const ADDED = /^\d{3}\s{1,8}|\s{0,8}Troubleshooting URL: \S{1,500}\s{0,8}$/g;

/** LangChain and the clients below it wrap errors in each other: the first that knows something wins. */
export function readModelError(error: unknown): ModelFailure {
  const chain = chainOf(error);
  const bodies = chain.map(bodyOf).filter((body) => body !== undefined);
  const inner = bodies.map((body) => fieldsOf(fieldsOf(body).error ?? body));
  const message =
    first([...inner, ...chain], (one) => textIn(one.message)) ?? (String(error) || 'unknown error');
  const status = first(chain, statusOf);
  const waits = [...chain, ...inner].flatMap(({ errorDetails, details }) => [
    ...listOf(errorDetails),
    ...listOf(details),
  ]);
  return {
    message: message.replace(ADDED, '').trim(),
    status,
    code:
      first([...chain, ...inner], ({ code, type }) => textIn(code) ?? textIn(type)) ??
      first(chain, (one) => textIn(one.lc_error_code)),
    body: first(bodies, (body) => (typeof body === 'string' ? body : JSON.stringify(body))),
    headers: first(
      chain,
      (one) => headersIn(one.headers) ?? headersIn(fieldsOf(one.response).headers),
    ),
    requestId: first(chain, (one) => textIn(one.requestID) ?? textIn(one.request_id)),
    retryAfter:
      readProviderError({ message: 'none', details: waits })?.retryAfter ??
      first(chain, ({ retryAfterMs }) =>
        typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
      ),
    retryable: isRetryable(chain, status, error),
  };
}

/** LangChain has found that no second try will help for some errors, such as a quota that is used up. */
function isRetryable(
  chain: readonly Fields[],
  status: number | undefined,
  error: unknown,
): boolean | undefined {
  if (chain.some(({ rateLimitType }) => rateLimitType === 'stop')) return false;
  return (status === undefined && isNetworkError(error)) || undefined;
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

function headersIn(value: unknown): Headers | Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Headers | Fields) : undefined;
}

function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item);
    if (value !== undefined) return value;
  }
  return undefined;
}
