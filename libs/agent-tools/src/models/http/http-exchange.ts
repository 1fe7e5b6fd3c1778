import { ChatModelException } from '../exceptions/chat-model.exception.js';
import { ModelCall } from '../requests/model.call.js';
import { isTransient } from '../requests/network-error.reader.js';
import { HttpBody } from './http-body.js';
import type { HttpRequestOptions } from './interfaces/http-request.interface.js';
import { HttpExceptionFactory } from './http-exception.factory.js';
import { checkRealRequest } from './real-requests.js';

const MAX_ERROR_BYTES = 64 * 1024;

/** One POST request. `close()` must follow, whatever happened. */
export class HttpExchange {
  readonly exceptions: HttpExceptionFactory;
  private readonly headers: Headers;
  private readonly payload: string;
  private readonly call: ModelCall;
  private body?: HttpBody;

  constructor(
    private readonly url: string,
    body: unknown,
    private readonly stream: boolean,
    private readonly options: HttpRequestOptions,
  ) {
    const { label, provider, extraBody = {}, keyRemedy, signal, timeouts } = options;
    this.headers = toHeaders(stream ? 'text/event-stream' : 'application/json', options);
    this.exceptions = new HttpExceptionFactory({
      label,
      provider,
      secrets: [this.headers, extraBody],
      url,
      keyRemedy,
    });
    this.payload = JSON.stringify(body);
    this.call = new ModelCall(this.exceptions, { signal, timeouts });
  }

  /** Resolves to a good answer when its first bytes are there. */
  async open(): Promise<HttpBody> {
    const { connect, firstChunk } = this.call.limits;
    const untilHeaders = this.stream && isShorter(connect, firstChunk);
    const response = await this.send(untilHeaders ? 'connect' : 'firstChunk');
    this.exceptions.response = response;
    const body = new HttpBody(response, this.call, this.exceptions);
    this.body = body;
    if (!response.ok) throw await this.readException(body);
    await body.ready();
    return body;
  }

  /** What a decoder threw at an answer of a form that nobody foresaw, as an exception of the model. */
  toException(error: unknown): unknown {
    if (error instanceof ChatModelException || this.call.signal.aborted) return error;
    return this.exceptions.fromUndecodable(error);
  }

  close(): void {
    this.body?.cancel();
    this.call.close(this.body?.finished === true);
  }

  private async send(kind: 'connect' | 'firstChunk'): Promise<Response> {
    const { url, headers, payload, call, options } = this;
    checkRealRequest(url, options);
    const send = options.fetch ?? fetch;
    // `fetch` would take the key to wherever a redirection leads: it drops `Authorization` at the border
    // of a server, but no other header.
    const redirect = 'manual' as const;
    const request = { method: 'POST', headers, body: payload, redirect, signal: call.signal };
    const pending = (async () => send(url, request))();
    try {
      return await call.wait(pending, kind);
    } catch (error) {
      if (!call.signal.aborted) throw this.toSendException(error);
      // A replaced fetch may not know of signals, and answer all the same.
      pending.then((late) => late.body?.cancel()).catch(() => {});
      throw error;
    }
  }

  private toSendException(error: unknown): ChatModelException {
    const isOwnFault = this.options.fetch !== undefined && !isTransient(error);
    return isOwnFault ? this.exceptions.fromFetch(error) : this.exceptions.fromNetwork(error);
  }

  private async readException(body: HttpBody): Promise<ChatModelException> {
    let text: string | undefined;
    try {
      text = await body.readText(MAX_ERROR_BYTES);
    } catch (error) {
      if (this.call.signal.aborted) throw error;
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
