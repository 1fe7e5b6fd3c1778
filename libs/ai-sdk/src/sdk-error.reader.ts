import { isRecord } from './is-record.js';

/** What is known about a failed call of a model. */
export interface SdkError {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly body?: string;
  readonly requestId?: string;
  readonly retryable: boolean;
  readonly retryAfter?: number;
}

const RETRYABLE_STATUS = new Set([408, 409, 429]);
const RETRYABLE_CODE =
  /overloaded|rate.?limit|timeout|unavailable|server.?error|api_error|exhausted/i;
/** The server broke off, or its answer came in part. */
const RETRYABLE_NAME = new Set<unknown>(['AI_EmptyResponseBodyError', 'AI_JSONParseError']);
const BROKEN = /fetch failed|network|terminated|socket|cannot connect/i;
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'cf-ray',
];

/**
 * Reads what a provider throws or puts into a stream: an `APICallError`, another error of the AI SDK or of
 * the platform, or what the server itself sent. Told by its fields, as every package may bring its own class.
 */
export function readSdkError(error: unknown): SdkError {
  if (!isRecord(error)) return { message: String(error), retryable: false };
  const body = text(error.responseBody);
  const inner = isRecord(error.error) ? error.error : error;
  const data = firstRecord(error.data, parse(body));
  const details = (data && firstRecord(data.error)) ?? data ?? inner;
  const status = [error.statusCode, inner.statusCode, inner.status].find(isErrorStatus);
  const code = readCode(details) ?? (details === inner ? undefined : readCode(inner));
  const headers = isRecord(error.responseHeaders) ? error.responseHeaders : {};
  return {
    message: text(error.message) ?? text(inner.message) ?? toJson(error),
    status,
    code,
    body,
    requestId: REQUEST_ID_HEADERS.map((name) => text(headers[name])).find(Boolean),
    retryable: isRetryable(error, status, code),
    retryAfter: readRetryAfter(headers) ?? readRetryDelay(details.details),
  };
}

function isRetryable(
  error: Readonly<Record<string, unknown>>,
  status: number | undefined,
  code: string | undefined,
): boolean {
  if (typeof error.isRetryable === 'boolean') return error.isRetryable;
  if (status !== undefined) return status >= 500 || RETRYABLE_STATUS.has(status);
  if (RETRYABLE_NAME.has(error.name)) return true;
  // The other errors of the AI SDK tell of a wrong request or an unknown answer.
  if (typeof error.name === 'string' && error.name.startsWith('AI_')) return false;
  if (!(error instanceof Error)) return RETRYABLE_CODE.test(code ?? '');
  return BROKEN.test(error.message);
}

function readCode({ code, type, status }: Readonly<Record<string, unknown>>): string | undefined {
  const word = [code, type, status].find((value) => typeof value === 'string' && value !== '');
  return text(word) ?? (typeof code === 'number' ? String(code) : undefined);
}

function readRetryAfter(headers: Readonly<Record<string, unknown>>): number | undefined {
  const milliseconds = toNumber(headers['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const value = headers['retry-after'];
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(text(value) ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Google's hint: `details: [{ "retryDelay": "34.4s" }]`. */
function readRetryDelay(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as unknown[]) {
    const match = isRecord(detail) && /^(\d+(?:\.\d+)?)s$/.exec(String(detail.retryDelay));
    if (match) return Math.ceil(Number(match[1]) * 1_000);
  }
  return undefined;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value)
    ? Number(value)
    : undefined;
}

function firstRecord(...values: unknown[]): Readonly<Record<string, unknown>> | undefined {
  return values
    .map((value: unknown) => (Array.isArray(value) ? (value[0] as unknown) : value))
    .find(isRecord);
}

function parse(body: string | undefined): unknown {
  try {
    return body && JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** An error may lead back to itself. */
function toJson(error: unknown): string {
  try {
    return JSON.stringify(error) ?? 'an error without a message';
  } catch {
    return 'an error without a message';
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && value >= 400 && value < 600;
}
