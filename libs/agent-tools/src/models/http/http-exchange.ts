import { ChatModelException } from '../chat-model.exception.js';
import { HttpBody } from './http-body.js';
import type { HttpRequestOptions } from './interfaces/http-request.interface.js';
import { ProviderExceptionFactory } from './provider-exception.factory.js';
import { RequestLifetime } from './request-lifetime.js';
import { retryDelay } from './retry-delay.js';
import { Secrets } from './secrets.js';

const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_RETRIES = 2;
const MAX_ERROR_BYTES = 64 * 1024;

/** One POST request with its repetitions. `close()` must follow, whatever happened. */
export class HttpExchange {
  readonly exceptions: ProviderExceptionFactory;
  private readonly headers: Headers;
  private readonly payload: string;
  private readonly lifetime: RequestLifetime;
  private body?: HttpBody;

  constructor(
    private readonly url: string,
    body: unknown,
    accept: string,
    private readonly options: HttpRequestOptions,
  ) {
    this.headers = toHeaders(accept, options);
    this.exceptions = new ProviderExceptionFactory(options.label, new Secrets(this.headers));
    this.payload = JSON.stringify(body);
    this.lifetime = new RequestLifetime(this.exceptions, options.signal);
  }

  /** Resolves to a good answer when its first bytes are there. */
  async open(): Promise<HttpBody> {
    const { maxRetries = DEFAULT_RETRIES } = this.options;
    for (let retry = 0; ; retry++) {
      try {
        return await this.attempt();
      } catch (error) {
        if (retry >= maxRetries || this.lifetime.signal.aborted) throw error;
        const delay = retryDelay(error, retry, this.options.retryDelay);
        if (delay === undefined) throw error;
        await this.lifetime.sleep(delay);
      }
    }
  }

  close(): void {
    this.body?.cancel();
    this.lifetime.close(this.body?.finished === true);
  }

  private async attempt(): Promise<HttpBody> {
    const response = await this.send();
    const body = new HttpBody(response, this.lifetime, this.options.idleTimeout ?? DEFAULT_TIMEOUT);
    this.body = body;
    if (!response.ok) throw await this.toException(body);
    await body.ready();
    return body;
  }

  private async send(): Promise<Response> {
    const { url, headers, payload, lifetime, options } = this;
    const send = options.fetch ?? fetch;
    const request = { method: 'POST', headers, body: payload, signal: lifetime.signal };
    const pending = (async () => send(url, request))();
    try {
      return await lifetime.wait(pending, options.timeout ?? DEFAULT_TIMEOUT, 'timeout');
    } catch (error) {
      if (!lifetime.signal.aborted) throw this.exceptions.fromNetwork(url, error);
      // A replaced fetch may not know of signals, and answer all the same.
      pending.then((late) => late.body?.cancel()).catch(() => {});
      throw error;
    }
  }

  private async toException(body: HttpBody): Promise<ChatModelException> {
    let text: string | undefined;
    try {
      text = await body.readText(MAX_ERROR_BYTES);
    } catch (error) {
      if (this.lifetime.signal.aborted) throw error;
    }
    body.cancel();
    return this.exceptions.fromResponse(body.response, text ?? '');
  }
}

function toHeaders(accept: string, { label, headers = {} }: HttpRequestOptions): Headers {
  const result = new Headers({ 'content-type': 'application/json', accept });
  for (const [name, value] of Object.entries(headers)) {
    try {
      result.set(name, value);
    } catch {
      // The platform's own error would quote the value.
      throw new ChatModelException(
        `${label} has a header "${name}" whose name or value no HTTP header may have. ` +
          'Look for line breaks and for characters other than Latin ones in it.',
      );
    }
  }
  return result;
}
