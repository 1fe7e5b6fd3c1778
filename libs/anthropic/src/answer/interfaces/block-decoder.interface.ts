import type { ChatDelta } from 'nestjs-agent-tools';

/** Reads one block of an answer. */
export interface BlockDecoder {
  /** What the block holds from its beginning; all of it in a whole answer. */
  start(): ChatDelta[];
  push(delta: Readonly<Record<string, unknown>>): ChatDelta[];
  stop(): ChatDelta[];
}
