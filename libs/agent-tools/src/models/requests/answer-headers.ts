/**
 * Headers of an answer, as `fetch` or another client has them.
 *
 * @publicApi
 */
export type AnswerHeaders = Headers | Readonly<Record<string, unknown>>;

/** OpenAI and most others, Anthropic, Azure, AWS, Cloudflare in front of anything. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'cf-ray',
];

/** The provider's own id of a request. */
export function readRequestId(headers: AnswerHeaders): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const id = readHeader(headers, name);
    if (id) return id;
  }
  return undefined;
}

/**
 * Milliseconds that an answer asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an
 * HTTP date.
 */
export function readRetryAfter(headers: AnswerHeaders, now = Date.now()): number | undefined {
  const milliseconds = toNumber(readHeader(headers, 'retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = readHeader(headers, 'retry-after');
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Google's hint in the body of an error: `details: [{ "retryDelay": "34.4s" }]`. */
export function readRetryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as readonly ({ readonly retryDelay?: unknown } | null)[]) {
    const delay = detail?.retryDelay;
    const match = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay) : null;
    if (match) return Math.ceil(Number(match[1]) * 1_000);
  }
  return undefined;
}

function readHeader(headers: AnswerHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

function toNumber(value: string | undefined): number | undefined {
  return value && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
