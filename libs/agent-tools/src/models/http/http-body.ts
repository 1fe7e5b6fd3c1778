import type { ModelCall } from '../requests/model.call.js';
import type { HttpExceptionFactory } from './http-exception.factory.js';

/** How long to wait for the end of a body that has nothing more to say. */
const DRAIN_TIME = 100;
const DRAIN_READS = 8;
/** How long to wait for the usage of an answer that is whole. */
const LAST_WAIT = 2_000;

/** Reads the body of an answer, piece by piece, with a limit on the silence between two pieces. */
export class HttpBody {
  private readonly reader?: ReadableStreamDefaultReader<Uint8Array>;
  private first?: Uint8Array;
  private ended: boolean;
  /** When a body that has said what matters is left, by `performance.now()`. */
  private lastTime?: number;

  constructor(
    readonly response: Response,
    private readonly call: ModelCall,
    private readonly exceptions: HttpExceptionFactory,
  ) {
    this.reader = response.body?.getReader();
    this.ended = !this.reader;
  }

  /** Whether all was read, so that the connection can serve another request. */
  get finished(): boolean {
    return this.ended;
  }

  /** Waits for the first piece without taking it. */
  async ready(): Promise<void> {
    this.first = await this.pull('firstChunk');
  }

  /**
   * The next piece, or `undefined` at the end.
   *
   * @param kind Which limit holds. A comment is no piece of an answer, so a stream waits for something else
   * with `firstChunk`; later ones tell that the server is alive.
   */
  async read(
    kind: 'firstChunk' | 'betweenChunks' = 'betweenChunks',
  ): Promise<Uint8Array | undefined> {
    const { first } = this;
    if (!first) return this.pull(kind);
    this.first = undefined;
    return first;
  }

  /** The next piece of a body that has said what matters; `undefined` also if none comes soon. */
  async readSoon(): Promise<Uint8Array | undefined> {
    if (this.ended || !this.reader) return undefined;
    this.lastTime ??= performance.now() + LAST_WAIT;
    // Not for each piece anew: a server may send comments for ever.
    const left = this.lastTime - performance.now();
    if (left <= 0) return undefined;
    try {
      const { value } = await this.call.wait(this.reader.read(), 'betweenChunks', left);
      this.ended = value === undefined;
      return value;
    } catch (error) {
      if (this.call.isLeft) throw error;
      return undefined;
    }
  }

  /** The rest as text, or `undefined` if it is longer than `limit` bytes. */
  async readText(limit: number): Promise<string | undefined> {
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    for (let bytes = await this.read(); bytes; bytes = await this.read()) {
      size += bytes.length;
      if (size > limit) return undefined;
      text += decoder.decode(bytes, { stream: true });
    }
    return text + decoder.decode();
  }

  /**
   * Takes the end of a body whose content is complete. A connection that is closed before its end
   * cannot be used again, and a new one costs several round trips.
   */
  async drain(): Promise<void> {
    try {
      for (let reads = 0; !this.ended && this.reader && reads < DRAIN_READS; reads++) {
        const { done } = await this.call.wait(this.reader.read(), 'betweenChunks', DRAIN_TIME);
        this.ended = done;
      }
    } catch {
      // The answer is complete; how its connection ends is of no interest.
    }
  }

  cancel(): void {
    if (!this.ended) this.reader?.cancel().catch(() => {});
  }

  private async pull(kind: 'firstChunk' | 'betweenChunks'): Promise<Uint8Array | undefined> {
    const { reader } = this;
    if (this.ended || !reader) return undefined;
    try {
      const { value } = await this.call.wait(reader.read(), kind);
      this.ended = value === undefined;
      return value;
    } catch (error) {
      throw this.call.signal.aborted ? error : this.exceptions.fromBrokenBody(error);
    }
  }
}
