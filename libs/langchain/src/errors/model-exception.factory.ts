import { ChatModelException } from 'nestjs-agent-tools';
import type { ModelTraits } from '../model-traits.js';
import { readModelError, type ModelError } from './model-error.reader.js';
import { redact } from './redact.js';

const MAX_TEXT = 1_000;
const MAX_BODY = 4_000;
const RETRYABLE_STATUS = new Set([408, 409, 429]);
const RETRYABLE_CODE =
  /overloaded|rate.?limit|timeout|unavailable|server.?error|api_error|exhausted|throttling/i;
/** LangChain and the clients below it add these to what the provider said. */
const ADDED = /^\d{3}\s+|\s*Troubleshooting URL: \S+\s*$/g;

/** What a LangChain model throws → the exception of this package, without credentials. */
export function toModelException(
  error: unknown,
  model: object,
  label: string,
  { provider }: ModelTraits,
): ChatModelException {
  const read = readModelError(error);
  const { status, requestId, retryAfter } = read;
  const text = cut(redact(read.message.replace(ADDED, '').trim(), model), MAX_TEXT);
  const code = read.code && redact(read.code, model);
  const said = status ? `answered HTTP ${status}` : 'failed';
  return new ChatModelException(
    `${label} ${said}${code ? ` (${code})` : ''}: ${sentence(text)}${remedy(status)}`,
    {
      provider,
      status,
      code,
      body: read.body && cut(redact(read.body, model), MAX_BODY),
      requestId,
      retryable: isRetryable(read),
      retryAfter,
      cause: toCause(error, model),
    },
  );
}

function isRetryable({ status, code = '', isFinal, isNetwork }: ModelError): boolean {
  if (isFinal) return false;
  if (status !== undefined) return status >= 500 || RETRYABLE_STATUS.has(status);
  return RETRYABLE_CODE.test(code) || isNetwork;
}

/**
 * An exception is logged with its cause. Errors of HTTP clients have the request with its headers in fields
 * of their own, so only the texts are kept.
 */
function toCause(error: unknown, model: object): Error {
  if (!(error instanceof Error)) return new Error(cut(redact(String(error), model), MAX_TEXT));
  const cause = new Error(redact(error.message, model));
  cause.name = error.name;
  cause.stack = redact(error.stack ?? '', model);
  return cause;
}

function remedy(status: number | undefined): string {
  if (status === 401 || status === 403) return ' Check the API key and what it may do.';
  return status === 404 ? ' Check the name of the model and the address of its server.' : '';
}

function cut(text: string, length: number): string {
  const whole = text.toWellFormed();
  return whole.length > length ? `${whole.slice(0, length).toWellFormed()}…` : whole;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
