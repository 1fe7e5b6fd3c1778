import {
  ChatModelException,
  ModelChunkTimeoutException,
  ModelFirstChunkTimeoutException,
  ModelRequestTimeoutException,
} from 'nestjs-agent-tools';
import { redact } from './redactor.js';
import { readSdkError } from './sdk-error.reader.js';

const MAX_TEXT = 1_000;
const MAX_BODY = 4_000;
const TIMEOUTS = {
  firstChunk: ModelFirstChunkTimeoutException,
  betweenChunks: ModelChunkTimeoutException,
  request: ModelRequestTimeoutException,
};

/** Which of the limits. */
export type TimeoutKind = keyof typeof TIMEOUTS;

/** Makes the exceptions of one call. No text of them holds a credential that is known or looks like one. */
export class SdkExceptionFactory {
  constructor(
    private readonly label: string,
    private readonly provider: string,
    private readonly headers: Readonly<Record<string, string>> | undefined,
  ) {}

  /** For what a provider threw, or put into its stream. */
  from(error: unknown): ChatModelException {
    if (error instanceof ChatModelException) return error;
    const { message, status, code, body, ...rest } = readSdkError(error);
    const what = status === undefined ? 'failed' : `answered HTTP ${status}`;
    const told = this.clean(code ? `(${code}): ${message}` : message, MAX_TEXT);
    return new ChatModelException(
      `${this.label} ${what}${code ? ' ' : ': '}${sentence(told)}${remedy(status, error)}`,
      {
        provider: this.provider,
        status,
        code: code && this.clean(code, MAX_TEXT),
        body: body && this.clean(body, MAX_BODY),
        ...rest,
        // The error of a call holds the whole conversation, which must not get into a log.
        ...(status === undefined && { cause: this.safe(error) }),
      },
    );
  }

  fromUnreadable(expected: string): ChatModelException {
    return new ChatModelException(
      `${this.label} gave something other than ${expected}. Look whether its package is one for language ` +
        'models of the AI SDK, and up to date.',
      { provider: this.provider },
    );
  }

  fromTimeout(kind: TimeoutKind, milliseconds: number, cause: unknown): ChatModelException {
    const Timeout = TIMEOUTS[kind];
    return new Timeout(this.label, milliseconds, { provider: this.provider, cause });
  }

  private clean(text: string, length: number): string {
    const whole = redact(text, this.headers).toWellFormed();
    return whole.length > length ? `${whole.slice(0, length).toWellFormed()}…` : whole;
  }

  private safe(error: unknown): unknown {
    const isCall = typeof error === 'object' && error !== null && 'requestBodyValues' in error;
    const cause = isCall ? (error as { readonly cause?: unknown }).cause : error;
    if (!(cause instanceof Error)) return cause;
    const clean = redact(cause.message, this.headers);
    return clean === cause.message ? cause : new Error(clean);
  }
}

function remedy(status: number | undefined, error: unknown): string {
  if (status === 401 || status === 403) return ' Check the API key and what it may do.';
  if (status === 404) return ' Check the name of the model and the base URL.';
  const isKeyMissing = error instanceof Error && error.name === 'AI_LoadAPIKeyError';
  return isKeyMissing ? ' Give it where the provider is made, or in the environment.' : '';
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
