import type { ChatDelta } from '../interfaces/chat-model.interface.js';
import { CommentFilter } from './comment.filter.js';
import { DONE, jsonReader } from './event.readers.js';
import type { HttpBody } from './http-body.js';
import type { HttpExchange } from './http-exchange.js';
import type { ChatDecoder } from './interfaces/chat-decoder.interface.js';
import { readJson } from './read-json.js';
import { SseDecoder, UnreadableEvent } from './sse.decoder.js';

type Next = IteratorResult<ChatDelta, void>;

const OVER: Next = { done: true, value: undefined };

/** A request that is ready to be sent, and who reads its answer. */
export interface OpenRequest {
  readonly exchange: HttpExchange;
  readonly decoder: ChatDecoder;
}

/**
 * The pieces of a streamed answer. It is no generator: what one read of the network brings is handed on
 * without another wait for each piece, which was a third of the cost of a stream.
 */
export class HttpChatStream implements AsyncIterableIterator<ChatDelta, void, undefined> {
  private request?: OpenRequest;
  private answer?: HttpBody;
  private events?: SseDecoder<unknown>;
  private deltas: ChatDelta[] = [];
  private taken = 0;
  /** Settled when there are more pieces, or none any more. */
  private filling?: Promise<unknown>;
  private failure?: { readonly error: unknown };
  /** Nothing more is read. */
  private isComplete = false;
  private isClosed = false;
  private hasBegun = false;
  private readonly comments = new CommentFilter();

  /**
   * @param open makes the request
   * @param decodeWhole reads an answer that is JSON although a stream was asked for
   */
  constructor(
    private readonly open: () => Promise<OpenRequest>,
    private readonly decodeWhole: (decoder: ChatDecoder, body: unknown) => Iterable<ChatDelta>,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Next> {
    if (this.taken < this.deltas.length) {
      return Promise.resolve({ done: false, value: this.deltas[this.taken++] });
    }
    if (this.isClosed) return Promise.resolve(OVER);
    // Whoever reads ahead waits for the one before.
    const before = this.filling;
    const taking = before ? before.then(() => this.next()) : this.take();
    this.filling = taking.catch(() => {});
    return taking;
  }

  async return(): Promise<Next> {
    this.deltas = [];
    this.taken = 0;
    this.close();
    return OVER;
  }

  private async take(): Promise<Next> {
    try {
      while (this.taken >= this.deltas.length && !this.isClosed) {
        if (this.failure) throw this.failure.error;
        if (this.isComplete) await this.finish();
        else await this.fill();
      }
    } catch (error) {
      // Who has left does not want to know how it went on.
      if (this.isClosed) return OVER;
      this.close();
      throw this.request ? this.request.exchange.toException(error) : error;
    } finally {
      this.filling = undefined;
    }
    if (this.isClosed) return OVER;
    return { done: false, value: this.deltas[this.taken++] };
  }

  private async fill(): Promise<void> {
    this.deltas = [];
    this.taken = 0;
    if (!this.answer || !this.events) {
      await this.begin();
      return;
    }
    const isWhole = this.request?.decoder.isWhole;
    const kind = this.hasBegun ? 'betweenChunks' : 'firstChunk';
    const bytes = await (isWhole ? this.answer.readSoon() : this.answer.read(kind));
    if (bytes && !this.hasBegun) this.hasBegun = this.comments.hasMore(bytes);
    this.read(bytes ? this.events.decode(bytes) : this.events.end());
    if (!bytes && !this.isComplete) this.end(false);
  }

  private async begin(): Promise<void> {
    this.request ??= await this.open();
    const { exchange, decoder } = this.request;
    if (this.isClosed) {
      exchange.close();
      return;
    }
    this.answer = await exchange.open();
    const { exceptions } = exchange;
    if (/json|html/.test(this.answer.response.headers.get('content-type') ?? '')) {
      const { json } = await readJson(this.answer, 'an event stream', exceptions);
      this.deltas.push(...this.decodeWhole(decoder, json));
      this.isComplete = true;
    }
    this.events = new SseDecoder(exceptions, jsonReader(exceptions));
  }

  private read(events: readonly unknown[]): void {
    const decoder = this.request?.decoder;
    try {
      for (const event of events) {
        if (event instanceof UnreadableEvent) throw event.error;
        if (event === DONE) this.end(true);
        else for (const delta of decoder?.decode(event) ?? []) this.deltas.push(delta);
        if (decoder?.finished) this.isComplete = true;
        if (this.isComplete) return;
      }
    } catch (error) {
      // The pieces before it are of use.
      this.failure = { error };
    }
  }

  private end(done: boolean): void {
    for (const delta of this.request?.decoder.end(done) ?? []) this.deltas.push(delta);
    this.isComplete = true;
  }

  private async finish(): Promise<void> {
    await this.answer?.drain();
    this.close();
  }

  private close(): void {
    this.isClosed = true;
    this.request?.exchange.close();
  }
}
