import type { ChatDelta, ChatResponse } from 'nestjs-agent-tools';

/**
 * A turn in the one form that the models of this library play. One of both is read, once.
 *
 * @publicApi
 */
export interface PlayedTurn {
  /** The whole answer. */
  response(): ChatResponse | Promise<ChatResponse>;
  /** The pieces of the answer. */
  readonly deltas: Iterable<ChatDelta> | AsyncIterable<ChatDelta>;
}
