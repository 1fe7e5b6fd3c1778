import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatTimeouts } from '../interfaces/chat-timeouts.interface.js';
import { HttpBody } from './http-body.js';
import type { HttpRequestOptions } from './interfaces/http-request.interface.js';
import { ProviderExceptionFactory } from './provider-exception.factory.js';
import { RequestLifetime, type TimeoutKind } from './request-lifetime.js';
import { refuseRealRequest } from './real-requests.js';
import { Secrets } from './secrets.js';

export const DEFAULT_TIMEOUTS = {
  connect: 60_000,
  firstChunk: 120_000,
  betweenChunks: 60_000,
  request: 600_000,
};
const MAX_ERROR_BYTES = 64 * 1024;

/** One POST request. `close()` must follow, whatever happened. */
export class HttpExchange {
  readonly exceptions: ProviderExceptionFactory;
  private readonly headers: Headers;
  private readonly payload: string;
  private readonly lifetime: RequestLifetime;
  private body?: HttpBody;

  constructor(
    private readonly url: string,
    body: unknown,
    private readonly stream: boolean,
    private readonly options: HttpRequestOptions,
  ) {
    const { label, provider, signal, timeouts } = options;
    this.headers = toHeaders(stream ? 'text/event-stream' : 'application/json', options);
    this.exceptions = new ProviderExceptionFactory(label, provider, new Secrets(this.headers, url));
    this.payload = JSON.stringify(body);
    this.lifetime = new RequestLifetime(
      this.exceptions,
      signal,
      timeouts?.request ?? DEFAULT_TIMEOUTS.request,
    );
  }

  /** Resolves to a good answer when its first bytes are there. */
  async open(): Promise<HttpBody> {
    const { connect, firstChunk, betweenChunks } = {
      ...DEFAULT_TIMEOUTS,
      ...given(this.options.timeouts),
    };
    const started = performance.now();
    const untilHeaders = this.stream && isShorter(connect, firstChunk);
    const response = await (untilHeaders
      ? this.send(connect, 'connect')
      : this.send(firstChunk, 'firstChunk'));
    this.exceptions.response = response;
    const body = new HttpBody(response, this.lifetime, betweenChunks);
    this.body = body;
    if (!response.ok) throw await this.readException(body);
    const left = firstChunk - (performance.now() - started);
    await body.ready(firstChunk > 0 ? Math.max(1, left) : 0);
    return body;
  }

  /** What a decoder threw at an answer of a form that nobody foresaw, as an exception of the model. */
  toException(error: unknown): unknown {
    if (error instanceof ChatModelException || this.lifetime.signal.aborted) return error;
    return this.exceptions.fromUndecodable(error);
  }

  close(): void {
    this.body?.cancel();
    this.lifetime.close(this.body?.finished === true);
  }

  private async send(limit: number, kind: TimeoutKind): Promise<Response> {
    const { url, headers, payload, lifetime, options } = this;
    refuseRealRequest(url, options);
    const send = options.fetch ?? fetch;
    // `fetch` would take the key to wherever a redirection leads: it drops `Authorization` at the border
    // of a server, but no other header.
    const redirect = 'manual' as const;
    const request = { method: 'POST', headers, body: payload, redirect, signal: lifetime.signal };
    const pending = (async () => send(url, request))();
    try {
      return await lifetime.wait(pending, limit, kind);
    } catch (error) {
      if (!lifetime.signal.aborted) throw this.exceptions.fromNetwork(url, error);
      // A replaced fetch may not know of signals, and answer all the same.
      pending.then((late) => late.body?.cancel()).catch(() => {});
      throw error;
    }
  }

  private async readException(body: HttpBody): Promise<ChatModelException> {
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

/** 0 is no limit. */
function isShorter(limit: number, other: number): boolean {
  return limit > 0 && (other <= 0 || limit < other);
}

function given(timeouts: ChatTimeouts = {}): Partial<Required<ChatTimeouts>> {
  return Object.fromEntries(Object.entries(timeouts).filter(([, limit]) => limit !== undefined));
}
