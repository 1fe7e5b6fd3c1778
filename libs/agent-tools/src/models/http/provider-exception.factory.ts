import { ChatModelException } from '../chat-model.exception.js';
import { isTransient, readNetworkError } from './network-error.reader.js';
import { readProviderError, type ProviderError } from './provider-error.reader.js';
import { readRetryAfter } from './retry-after.js';
import type { Secrets } from './secrets.js';

const MAX_TEXT = 1_000;
const RETRYABLE_STATUS = new Set([408, 409, 429]);
const RETRYABLE_CODE =
  /overloaded|rate.?limit|timeout|unavailable|server.?error|api_error|exhausted/i;

/** Makes the exceptions of one request. No text of them holds a credential of it. */
export class ProviderExceptionFactory {
  constructor(
    private readonly label: string,
    private readonly secrets: Secrets,
  ) {}

  /** For an answer with an error status. */
  fromResponse(response: Response, text: string): ChatModelException {
    const { status, headers } = response;
    const error = this.clean(parse(text, headers.get('content-type')));
    return new ChatModelException(
      `${this.label} answered HTTP ${status}${describe(error)}${remedy(status)}`,
      {
        status,
        code: error?.code,
        retryable: isRetryableStatus(status),
        retryAfter: readRetryAfter(headers) ?? error?.retryAfter,
      },
    );
  }

  /** For an error in the body of an answer that began well. */
  fromBody(body: unknown): ChatModelException {
    const error = this.clean(readProviderError(body));
    const { status, code, retryAfter } = error ?? {};
    const retryable = status ? isRetryableStatus(status) : RETRYABLE_CODE.test(code ?? '');
    return new ChatModelException(`${this.label} sent an error in its answer${describe(error)}`, {
      status,
      code,
      retryable,
      retryAfter,
    });
  }

  /** For an answer in a form that nobody can read: a page of a proxy, half a JSON text. */
  fromUnreadable(expected: string, text: string, contentType: string | null): ChatModelException {
    const found = describe(this.clean(parse(text, contentType)) ?? { message: 'nothing' });
    return new ChatModelException(
      `${this.label} answered with something other than ${expected}${found} Check the base URL.`,
    );
  }

  fromOverlong(limit: number): ChatModelException {
    return new ChatModelException(
      `${this.label} sent more than ${limit} bytes in one piece, which is no usable answer. ` +
        'Check the base URL.',
    );
  }

  fromNetwork(url: string, cause: unknown): ChatModelException {
    const detail = this.cleanText(readNetworkError(cause));
    return new ChatModelException(
      `${this.label} cannot be reached at ${withoutQuery(url)}: ${sentence(detail)} ` +
        'Check the base URL and that the server runs.',
      { retryable: isTransient(cause), cause: this.safe(cause) },
    );
  }

  fromBrokenBody(cause: unknown): ChatModelException {
    const detail = this.cleanText(readNetworkError(cause));
    return new ChatModelException(
      `${this.label} broke off its answer: ${sentence(detail)} Send the request again.`,
      { retryable: true, cause: this.safe(cause) },
    );
  }

  fromTimeout(option: string, milliseconds: number, cause: DOMException): ChatModelException {
    return new ChatModelException(
      `${this.label} sent nothing for ${milliseconds} ms. Raise \`${option}\` if it needs longer.`,
      { retryable: true, cause },
    );
  }

  private clean(error: ProviderError | undefined): ProviderError | undefined {
    if (!error) return undefined;
    const { message, code } = error;
    return { ...error, message: this.cleanText(message), code: code && this.cleanText(code) };
  }

  private cleanText(text: string): string {
    const redacted = this.secrets.redact(text).toWellFormed();
    return redacted.length > MAX_TEXT ? `${redacted.slice(0, MAX_TEXT).toWellFormed()}…` : redacted;
  }

  /** An exception is logged with its cause, so that must not hold a credential either. */
  private safe(cause: unknown): unknown {
    const text = readNetworkError(cause);
    const redacted = this.secrets.redact(text);
    return redacted === text ? cause : new Error(redacted);
  }
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
  if (status === 401 || status === 403) return ' Check the API key and what it may do.';
  return status === 404 ? ' Check the name of the model and the base URL.' : '';
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
