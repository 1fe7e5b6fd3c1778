/**
 * Milliseconds that an answer asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as an
 * HTTP date.
 */
export function readRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const milliseconds = toNumber(headers.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Google's hint in the body of an error: `details: [{ "retryDelay": "34.4s" }]`. */
export function readRetryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as readonly { retryDelay?: unknown }[]) {
    const match = /^(\d+(?:\.\d+)?)s$/.exec(String(detail?.retryDelay));
    if (match) return Math.ceil(Number(match[1]) * 1_000);
  }
  return undefined;
}

function toNumber(value: string | null): number | undefined {
  return value && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
