import type { ChatMessage } from 'nestjs-agent-tools';
import { readMetadata } from '../block.metadata.js';

/** The place in which code of the model ran last, with the files that it made. */
export function findContainer(messages: readonly ChatMessage[]): string | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== 'assistant') continue;
    const part = message.content.findLast(({ type, providerMetadata: metadata }) => {
      return type === 'reasoning' && readMetadata(metadata).container !== undefined;
    });
    if (part) return readMetadata(part.providerMetadata).container;
  }
  return undefined;
}
