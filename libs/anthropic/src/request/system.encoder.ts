import type { ChatMessage } from 'nestjs-agent-tools';
import type { WireBlock } from './interfaces/wire-request.interface.js';

/**
 * All system messages, in their order: most models of Anthropic take them only before the conversation.
 *
 * @param more what is to be said beside them
 */
export function encodeSystem(
  messages: readonly ChatMessage[],
  more: readonly string[] = [],
): WireBlock[] {
  const texts = messages.flatMap((message) => (message.role === 'system' ? message.content : []));
  return [...texts, ...more]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ type: 'text', text }));
}

/** One text, unless a mark of the cache needs a block to be at. */
export function joinSystem(blocks: readonly WireBlock[]): string | readonly WireBlock[] {
  const isMarked = blocks.some(({ cache_control: mark }) => mark !== undefined);
  return isMarked ? blocks : blocks.map(({ text }) => text).join('\n\n');
}
