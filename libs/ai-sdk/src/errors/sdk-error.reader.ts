import { readProviderError, type ModelFailure, isRecord } from 'nestjs-agent-tools/model-kit';

type Fields = Readonly<Record<string, unknown>>;

/** The server broke off, or its answer came in part. */
const RETRYABLE_NAME = new Set<unknown>(['AI_EmptyResponseBodyError', 'AI_JSONParseError']);

/**
 * Reads what a provider throws or puts into a stream: an `APICallError`, another error of the AI SDK or of
 * the platform, or what the server itself sent. Told by its fields, as every package may bring its own class.
 */
export function readSdkError(error: unknown): ModelFailure {
  if (!isRecord(error)) return { message: String(error), retryable: false, cause: error };
  const body = text(error.responseBody);
  const inner = isRecord(error.error) ? error.error : error;
  const told = readProviderError(error.data ?? parse(body));
  const own = told?.code ? undefined : readProviderError(withoutMessage(inner));
  const status = [error.statusCode, inner.statusCode, inner.status].find(isErrorStatus);
  const isKeyMissing = error.name === 'AI_LoadAPIKeyError';
  return {
    message: withReason(text(error.message) ?? text(inner.message) ?? toJson(error), error.cause),
    status,
    code: told?.code ?? own?.code,
    body,
    headers: isRecord(error.responseHeaders) ? error.responseHeaders : undefined,
    retryAfter: told?.retryAfter ?? own?.retryAfter,
    retryable: isRetryable(error, status),
    ...(isKeyMissing && {
      remedy: 'Give it where the provider is made, or in the environment.',
    }),
    // The error of a call holds the whole conversation, which must not get into a log.
    ...(status === undefined && { cause: 'requestBodyValues' in error ? error.cause : error }),
  };
}

/** An answer in another form than the provider's schema says: only the cause of the cause tells which. */
function withReason(message: string, cause: unknown): string {
  if (!isRecord(cause) || cause.name !== 'AI_TypeValidationError') return message;
  const reason = isRecord(cause.cause) ? text(cause.cause.message) : undefined;
  return reason ? `${message}: ${reason}` : message;
}

/** What only the AI SDK's own errors tell. */
function isRetryable(error: Fields, status: number | undefined): boolean | undefined {
  if (typeof error.isRetryable === 'boolean') return error.isRetryable;
  if (status !== undefined) return undefined;
  if (RETRYABLE_NAME.has(error.name)) return true;
  // The other errors of the AI SDK tell of a wrong request or an unknown answer.
  return typeof error.name === 'string' && error.name.startsWith('AI_') ? false : undefined;
}

/** Only the code and the wait are of interest, and an error may lead back to itself. */
function withoutMessage({ code, type, status, details }: Fields): object {
  return { code, type, status, details, message: ' ' };
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
