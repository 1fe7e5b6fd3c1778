import { inspect } from 'node:util';
import {
  ChatModelException,
  type ChatModelExceptionOptions,
} from '../exceptions/chat-model.exception.js';
import { ModelChunkTimeoutException } from '../exceptions/model-chunk-timeout.exception.js';
import { ModelConnectTimeoutException } from '../exceptions/model-connect-timeout.exception.js';
import { ModelFirstChunkTimeoutException } from '../exceptions/model-first-chunk-timeout.exception.js';
import { ModelRequestTimeoutException } from '../exceptions/model-request-timeout.exception.js';
import { isTransient, readNetworkError } from './network-error.reader.js';
import { readProviderError, type ProviderError } from './provider-error.reader.js';
import type { TimeoutKind } from './request-lifetime.js';
import { readRetryAfter } from './retry-after.js';
import type { Secrets } from './secrets.js';

const MAX_TEXT = 1_000;
const MAX_BODY = 4_000;
/** OpenAI and most others, Anthropic, Azure, AWS, Cloudflare in front of anything. */
const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'cf-ray',
];
const TIMEOUTS = {
  connect: ModelConnectTimeoutException,
  firstChunk: ModelFirstChunkTimeoutException,
  betweenChunks: ModelChunkTimeoutException,
  request: ModelRequestTimeoutException,
};
const RETRYABLE_STATUS = new Set([408, 409, 429]);
const RETRYABLE_CODE =
  /overloaded|rate.?limit|timeout|unavailable|server.?error|api_error|exhausted/i;

/** Makes the exceptions of one request. No text of them holds a credential of it. */
export class ProviderExceptionFactory {
  /** Of the answer, once it has begun. */
  response?: Response;

  private readonly provider: string;

  constructor(
    private readonly label: string,
    provider: string | undefined,
    private readonly secrets: Secrets,
  ) {
    this.provider = provider ?? label.split(':')[0];
  }

  /** The JSON of an event. */
  parse(event: string): unknown {
    try {
      return JSON.parse(event);
    } catch {
      throw this.make(
        `${this.label} sent an event that is no JSON, which is likely cut off. Send the request again.`,
        { retryable: true, body: event },
      );
    }
  }

  /** For an answer with an error status. */
  fromResponse(response: Response, text: string): ChatModelException {
    const { status, headers } = response;
    const error = this.clean(parse(text, headers.get('content-type')));
    return this.make(`${this.label} answered HTTP ${status}${describe(error)}${remedy(status)}`, {
      status,
      code: error?.code,
      body: text,
      retryable: isRetryableStatus(status),
      retryAfter: readRetryAfter(headers) ?? error?.retryAfter,
    });
  }

  /** For an error in the body of an answer that began well. */
  fromBody(body: unknown): ChatModelException {
    const error = this.clean(readProviderError(body));
    const { status, code, retryAfter } = error ?? {};
    const retryable = status ? isRetryableStatus(status) : RETRYABLE_CODE.test(code ?? '');
    return this.make(`${this.label} sent an error in its answer${describe(error)}`, {
      status,
      code,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      retryable,
      retryAfter,
    });
  }

  /** For an answer in a form that nobody can read: a page of a proxy, half a JSON text. */
  fromUnreadable(expected: string, text: string, contentType: string | null): ChatModelException {
    const found = describe(this.clean(parse(text, contentType)) ?? { message: 'nothing' });
    return this.make(
      `${this.label} answered with something other than ${expected}${found} Check the base URL.`,
    );
  }

  /** For an answer that a decoder cannot take apart, such as JSON of thousands of levels. */
  fromUndecodable(cause: unknown): ChatModelException {
    return this.make(`${this.label} sent an answer that cannot be read; see the cause.`, {
      cause: this.safe(cause),
    });
  }

  fromOverlong(limit: number): ChatModelException {
    return this.make(
      `${this.label} sent more than ${limit} bytes in one piece, which is no usable answer. ` +
        'Check the base URL.',
    );
  }

  fromNetwork(url: string, cause: unknown): ChatModelException {
    const detail = this.cleanText(readNetworkError(cause));
    return this.make(
      `${this.label} cannot be reached at ${withoutQuery(url)}: ${sentence(detail)} ` +
        'Check the base URL and that the server runs.',
      { retryable: isTransient(cause), cause: this.safe(cause) },
    );
  }

  fromBrokenBody(cause: unknown): ChatModelException {
    const detail = this.cleanText(readNetworkError(cause));
    return this.make(
      `${this.label} broke off its answer: ${sentence(detail)} Send the request again.`,
      { retryable: true, cause: this.safe(cause) },
    );
  }

  fromTimeout(
    kind: TimeoutKind = 'request',
    milliseconds: number,
    cause: DOMException,
  ): ChatModelException {
    const Timeout = TIMEOUTS[kind];
    return new Timeout(this.label, milliseconds, this.complete({ cause }));
  }

  private make(message: string, options: ChatModelExceptionOptions = {}): ChatModelException {
    return new ChatModelException(message, this.complete(options));
  }

  private complete(options: ChatModelExceptionOptions): ChatModelExceptionOptions {
    const { provider, response } = this;
    const sent = response && readRequestId(response.headers);
    const requestId = sent && this.secrets.redact(sent);
    const body = options.body && cut(this.secrets.redact(options.body), MAX_BODY);
    return { provider, requestId, ...options, body };
  }

  private clean(error: ProviderError | undefined): ProviderError | undefined {
    if (!error) return undefined;
    const { message, code } = error;
    return { ...error, message: this.cleanText(message), code: code && this.cleanText(code) };
  }

  private cleanText(text: string): string {
    return cut(this.secrets.redact(text), MAX_TEXT);
  }

  /** An exception is logged with its cause, so that must not hold a credential either. */
  private safe(cause: unknown): unknown {
    // As a log shows it, with the fields and causes of the error.
    const shown = inspect(cause, { depth: 8 });
    if (this.secrets.redact(shown) === shown) return cause;
    return new Error(this.secrets.redact(readNetworkError(cause)));
  }
}

function cut(text: string, length: number): string {
  const whole = text.toWellFormed();
  return whole.length > length ? `${whole.slice(0, length).toWellFormed()}…` : whole;
}

function readRequestId(headers: Headers): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const id = headers.get(name);
    if (id) return id;
  }
  return undefined;
}

function parse(text: string, contentType: string | null): ProviderError | undefined {
  if (contentType?.includes('html') || /^\s*<(?:!doctype|html)/i.test(text)) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
    return { message: title ? `an HTML page with the title "${title}"` : 'an HTML page' };
  }
  try {
    return readProviderError(JSON.parse(text));
  } catch {
    return readProviderError(text);
  }
}

function describe(error: ProviderError | undefined): string {
  if (!error) return '.';
  return `${error.code ? ` (${error.code})` : ''}: ${sentence(error.message)}`;
}

function isRetryableStatus(status: number): boolean {
  return status >= 500 || RETRYABLE_STATUS.has(status);
}

function remedy(status: number): string {
  if (status >= 300 && status < 400) {
    return ' It leads elsewhere, which is not followed: give the address there as `baseURL`.';
  }
  if (status === 401 || status === 403) return ' Check the API key and what it may do.';
  return status === 404 ? ' Check the name of the model and the base URL.' : '';
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
