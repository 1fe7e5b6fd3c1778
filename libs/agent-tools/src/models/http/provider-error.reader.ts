import { readRetryDelay } from '../requests/answer-headers.js';

/**
 * What an error body says, whatever its form.
 *
 * @publicApi
 */
export interface ProviderError {
  readonly message: string;
  readonly code?: string;
  /** An HTTP status that the body itself names. */
  readonly status?: number;
  readonly retryAfter?: number;
}

interface ErrorFields {
  readonly error?: unknown;
  readonly object?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly status_code?: unknown;
  readonly message?: unknown;
  readonly detail?: unknown;
  readonly details?: unknown;
  readonly metadata?: { readonly raw?: unknown } | null;
}

/** Whether a body that came with status 200, or an event of a stream, is an error nevertheless. */
export function isErrorBody(body: unknown): boolean {
  return Array.isArray(body) ? body.some(isErrorObject) : isErrorObject(body);
}

function isErrorObject(value: unknown): value is ErrorFields {
  if (typeof value !== 'object' || value === null) return false;
  const fields: ErrorFields = value;
  return Boolean(fields.error) || fields.object === 'error';
}

/**
 * Reads `{error: {message, type, code}}`, `{error: "…"}`, `{message}`, `{detail}` and Google's list
 * of one such object.
 *
 * @publicApi
 */
export function readProviderError(body: unknown): ProviderError | undefined {
  if (typeof body === 'string') return body.trim() ? { message: body.trim() } : undefined;
  const outer = firstObject(body);
  if (!outer) return undefined;
  const inner = firstObject(outer.error) ?? outer;
  const message = [readMessage(inner), readRaw(inner)].filter(Boolean).join(': ');
  return {
    message: message || JSON.stringify(inner),
    code: readCode(inner),
    status: [inner.status_code, inner.code, inner.status, outer.status_code].find(isErrorStatus),
    retryAfter: readRetryDelay(inner.details),
  };
}

function readMessage({ message, error, detail }: ErrorFields): string | undefined {
  const text = [message, error, detail].find(isText);
  if (text) return text;
  // FastAPI: [{ loc: ['body', 'messages'], msg: 'Field required' }]
  if (!Array.isArray(detail)) return undefined;
  return (detail as readonly ({ loc?: unknown; msg?: unknown } | null)[])
    .map((one) => {
      const text = isText(one?.msg) ? one.msg : JSON.stringify(one);
      return Array.isArray(one?.loc) ? `${one.loc.filter(isKey).join('.')}: ${text}` : text;
    })
    .join('; ');
}

/** OpenRouter says "Provider returned error" and keeps what the provider said beside it. */
function readRaw({ message, metadata }: ErrorFields): string | undefined {
  const raw = metadata?.raw;
  return isText(raw) && raw !== message ? raw : undefined;
}

function readCode({ code, type, status }: ErrorFields): string | undefined {
  const text = [code, type, status].find(isText);
  return text ?? (typeof code === 'number' ? String(code) : undefined);
}

function firstObject(value: unknown): ErrorFields | undefined {
  const first: unknown = Array.isArray(value) ? (value.find(isErrorObject) ?? value[0]) : value;
  return typeof first === 'object' && first !== null ? first : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600;
}
