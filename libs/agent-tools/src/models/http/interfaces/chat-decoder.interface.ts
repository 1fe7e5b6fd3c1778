import type { ChatDelta } from '../../interfaces/chat-model.interface.js';

/**
 * Reads one answer of a protocol. What a server sends is not certain to have any form, so each value is
 * checked where it is read; what is not known is left out.
 *
 * @publicApi
 */
export interface ChatDecoder {
  /** Whether nothing more is to come, whatever the server sends. @default false */
  readonly finished?: boolean;
  /**
   * Whether the answer is whole, and no more than its usage can follow. A server that then stays silent
   * is not waited for long.
   *
   * @default false
   */
  readonly isWhole?: boolean;
  /** The pieces in one event of a stream. @param event its data, from JSON. */
  decode(event: unknown): Iterable<ChatDelta>;
  /**
   * The pieces that are only known at the end of a stream. The finish is among them, unless it came
   * before or the stream was cut off.
   *
   * @param done Whether the server itself said with `[DONE]` that this was all.
   */
  end(done: boolean): Iterable<ChatDelta>;
  /**
   * The pieces of a whole answer, the finish among them. Nothing at all if the body is no answer of
   * this protocol.
   *
   * @param body from JSON
   */
  decodeWhole(body: unknown): Iterable<ChatDelta>;
}
