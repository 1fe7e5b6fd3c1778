import { inspect } from 'node:util';
import {
  ChatModelException,
  type ChatModelExceptionOptions,
} from '../exceptions/chat-model.exception.js';
import { ModelChunkTimeoutException } from '../exceptions/model-chunk-timeout.exception.js';
import { ModelConnectTimeoutException } from '../exceptions/model-connect-timeout.exception.js';
import { ModelFirstChunkTimeoutException } from '../exceptions/model-first-chunk-timeout.exception.js';
import { ModelRequestTimeoutException } from '../exceptions/model-request-timeout.exception.js';
import type { ModelTimeoutException } from '../exceptions/model-timeout.exception.js';
import type { ChatTimeouts } from '../interfaces/chat-timeouts.interface.js';
import { readRequestId, readRetryAfter } from './answer-headers.js';
import type {
  ModelExceptionFactoryOptions,
  ModelFailure,
} from './interfaces/model-failure.interface.js';
import { isNetworkError, readNetworkError } from './network-error.reader.js';
import { isRetryableCode, isRetryableStatus, remedyFor } from './retryable.js';
import { cut, sentence } from './safe-text.js';
import { Secrets } from './secrets.js';

const MAX_BODY = 4_000;
const SHOWN = { depth: 6, maxArrayLength: 200, maxStringLength: 20_000, breakLength: Infinity };
/** What `inspect` leaves out may hold a secret that another log shows. */
const ABRIDGED =
  /\.\.\. \d+ more (?:item|character)s?|(?<=[:,{[(]\s)\[(?!Getter)[A-Z]\w*(?: [A-Z]\w*)?\](?=\s?[,}\])]|\s*$)/m;
const TIMEOUTS = {
  connect: ModelConnectTimeoutException,
  firstChunk: ModelFirstChunkTimeoutException,
  betweenChunks: ModelChunkTimeoutException,
  request: ModelRequestTimeoutException,
};

/**
 * Makes the exceptions of one call of a model. No text of them holds a credential that is known, or what
 * looks like one, and none is longer than is of use.
 *
 * @publicApi
 */
export class ModelExceptionFactory {
  protected readonly label: string;
  private readonly provider: string;
  private readonly secrets: Secrets;

  constructor({ label, provider, secrets, url }: ModelExceptionFactoryOptions) {
    this.label = label;
    this.provider = provider ?? label.split(':')[0];
    this.secrets = new Secrets(secrets, url);
  }

  /** The exception for a failed call, such as "acme:large answered HTTP 429 (rate_limit): Slow down." */
  from(failure: ModelFailure): ChatModelException {
    const { status, remedy = remedyFor(status) } = failure;
    const what = status === undefined ? 'failed' : `answered HTTP ${status}`;
    const retryAfter = waitOf(failure);
    const wait = retryAfter ? `It asks to wait ${Math.ceil(retryAfter / 1_000)} s.` : '';
    const advice = [remedy, wait].filter(Boolean).join(' ');
    return this.make(`${what}${this.quote(failure)}${advice && ` ${advice}`}`, failure);
  }

  /** @param milliseconds The limit that was reached. */
  fromTimeout(
    kind: keyof ChatTimeouts,
    milliseconds: number,
    cause?: unknown,
  ): ModelTimeoutException {
    return new TIMEOUTS[kind](this.label, milliseconds, this.complete({ cause }));
  }

  /** A text without credentials. @param maxLength In characters. @default 1_000 */
  clean(text: string, maxLength?: number): string {
    return cut(this.secrets.redact(text), maxLength);
  }

  /** @param what What the model did; its name is put before it. */
  protected make(what: string, failure: ModelFailure = {}): ChatModelException {
    const { status, code, body, cause } = failure;
    return new ChatModelException(
      `${this.label} ${what}`,
      this.complete({
        status,
        code: code && this.clean(code),
        body: body && this.clean(body, MAX_BODY),
        requestId: failure.requestId ?? (failure.headers && readRequestId(failure.headers)),
        retryAfter: waitOf(failure),
        retryable: failure.retryable ?? isRetryable(failure),
        ...('cause' in failure && { cause: this.safe(cause) }),
      }),
    );
  }

  /** The end of a sentence with what the provider said. */
  protected quote({ message, code }: ModelFailure): string {
    const said = message?.trim() ? `: ${sentence(this.clean(message))}` : '.';
    return `${code ? ` (${this.clean(code)})` : ''}${said}`;
  }

  /** What a library knows about every failure of the call. */
  protected complete(options: ChatModelExceptionOptions): ChatModelExceptionOptions {
    const { provider } = this;
    const { requestId } = options;
    return { provider, ...options, requestId: requestId && this.clean(requestId) };
  }

  /** An exception is logged with its cause, so that must not hold a credential either. */
  private safe(cause: unknown): unknown {
    try {
      // As a log shows it, with the fields and causes of the error.
      const shown = inspect(cause, SHOWN);
      if (!ABRIDGED.test(shown) && !this.secrets.isIn(shown)) return cause;
    } catch {
      // It cannot even be shown.
    }
    return new Error(this.clean(readNetworkError(cause)));
  }
}

/** Milliseconds. */
function waitOf({ headers, retryAfter }: ModelFailure): number | undefined {
  return (headers && readRetryAfter(headers)) ?? retryAfter;
}

function isRetryable({ status, code = '', cause }: ModelFailure): boolean {
  if (status !== undefined) return isRetryableStatus(status, code);
  return isRetryableCode(code) || isNetworkError(cause);
}
