import type { ChatDelta } from '../interfaces/chat-model.interface.js';

/** The beginning of a stream. */
export interface StreamHead {
  /** What is known of the usage; it comes before `first`. */
  readonly usage?: Extract<ChatDelta, { type: 'usage' }>;
  /** The first piece that belongs to the answer, or undefined if the stream ended without one. */
  readonly first?: ChatDelta;
}

/**
 * Reads a stream up to the first piece that a consumer could show. Some servers count the tokens
 * first and then fail, so that usage must not be what makes a request final.
 */
export async function readHead(stream: AsyncIterator<ChatDelta, unknown>): Promise<StreamHead> {
  let usage: StreamHead['usage'];
  for (;;) {
    const next = await stream.next();
    if (next.done) return { usage };
    const delta = next.value;
    if (delta.type === 'usage') usage = delta;
    else if (delta.type === 'restart') usage = undefined;
    else if (!isEmptyText(delta)) return { usage, first: delta };
  }
}

function isEmptyText(delta: ChatDelta): boolean {
  return (
    (delta.type === 'text' || delta.type === 'reasoning') &&
    delta.text === '' &&
    !delta.providerMetadata
  );
}
