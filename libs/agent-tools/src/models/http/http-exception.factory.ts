import { readRequestId } from '../requests/answer-headers.js';
import type {
  ModelExceptionFactoryOptions,
  ModelFailure,
} from '../requests/interfaces/model-failure.interface.js';
import { ModelExceptionFactory } from '../requests/model-exception.factory.js';
import { isTransient, readNetworkError } from '../requests/network-error.reader.js';
import { isRetryableCode, isRetryableStatus } from '../requests/retryable.js';
import { sentence } from '../requests/safe-text.js';
import type {
  ChatModelException,
  ChatModelExceptionOptions,
} from '../exceptions/chat-model.exception.js';
import { parseExactJson } from '../../arguments/json/parse-exact-json.js';
import { readProviderError } from './provider-error.reader.js';

interface ProviderExceptionFactoryOptions extends ModelExceptionFactoryOptions {
  readonly url: string;
  /** What to do if the server wants another key. */
  readonly keyRemedy?: string;
}

/** Makes the exceptions of one request over HTTP. */
export class HttpExceptionFactory extends ModelExceptionFactory {
  /** Of the answer, once it has begun. */
  response?: Response;

  private readonly address: string;
  private readonly keyRemedy?: string;

  constructor({ url, keyRemedy, ...options }: ProviderExceptionFactoryOptions) {
    super({ ...options, url });
    this.address = withoutQuery(url);
    this.keyRemedy = keyRemedy;
  }

  /** The JSON of an event. */
  parse(event: string): unknown {
    try {
      return parseExactJson(event);
    } catch {
      throw this.make(
        'sent an event that is no JSON, which is likely cut off. Send the request again.',
        { retryable: true, body: event },
      );
    }
  }

  /** For an answer with an error status. */
  fromResponse({ status, headers }: Response, text: string): ChatModelException {
    const error = parse(text, headers.get('content-type'));
    const { message, code, retryAfter } = error ?? {};
    const remedy = status === 401 || status === 403 ? this.keyRemedy : this.addressRemedy(status);
    return this.from({ message, status, code, body: text, headers, retryAfter, remedy });
  }

  /** For an error in the body of an answer that began well. */
  fromBody(body: unknown): ChatModelException {
    const error: ModelFailure = readProviderError(body) ?? {};
    const { status, code, retryAfter } = error;
    return this.make(`sent an error in its answer${this.quote(error)}`, {
      status,
      code,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      retryable: status ? isRetryableStatus(status, code) : isRetryableCode(code ?? ''),
      retryAfter,
    });
  }

  /** For an answer in a form that nobody can read: a page of a proxy, half a JSON text. */
  fromUnreadable(expected: string, text: string, contentType: string | null): ChatModelException {
    const found = this.quote(parse(text, contentType) ?? { message: 'nothing' });
    return this.make(`answered with something other than ${expected}${found} Check the base URL.`);
  }

  /** For an answer that a decoder cannot take apart, such as JSON of thousands of levels. */
  fromUndecodable(cause: unknown): ChatModelException {
    return this.make('sent an answer that cannot be read; see the cause.', {
      retryable: false,
      cause,
    });
  }

  fromOverlong(limit: number): ChatModelException {
    return this.make(
      `sent more than ${limit} bytes in one piece, which is no usable answer. Check the base URL.`,
    );
  }

  fromNetwork(cause: unknown): ChatModelException {
    const detail = sentence(this.clean(readNetworkError(cause)));
    return this.make(
      `cannot be reached at ${this.address}: ${detail} Check the base URL and that the server runs.`,
      { retryable: isTransient(cause), cause },
    );
  }

  /** For what a `fetch` of the application threw that is no failure of the network. */
  fromFetch(cause: unknown): ChatModelException {
    const detail = sentence(this.clean(readNetworkError(cause)));
    return this.make(`was not asked, as its \`fetch\` failed: ${detail}`, {
      retryable: false,
      cause,
    });
  }

  fromBrokenBody(cause: unknown): ChatModelException {
    const detail = sentence(this.clean(readNetworkError(cause)));
    return this.make(`broke off its answer: ${detail} Send the request again.`, {
      retryable: true,
      cause,
    });
  }

  private addressRemedy(status: number): string | undefined {
    if (status !== 404) return undefined;
    return `It was asked at ${this.address}: check the name of the model and the base URL.`;
  }

  protected override complete(options: ChatModelExceptionOptions): ChatModelExceptionOptions {
    const requestId = this.response && readRequestId(this.response.headers);
    return super.complete({ ...options, requestId: options.requestId ?? requestId });
  }
}

function parse(text: string, contentType: string | null): ModelFailure | undefined {
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

function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
}
