import type { ChatMessage } from 'nestjs-agent-tools';
import { encodePart } from './content-part.encoder.js';
import type { ItemEncoding, WireItem } from './interfaces/item-encoding.interface.js';
import { encodeToolOutput } from './tool-output.encoder.js';
import { encodeTurn } from './turn.encoder.js';

/**
 * A conversation as it is sent. System messages stay where they are; `instructions` would take only
 * one, and put it first.
 */
export function encodeInput(messages: readonly ChatMessage[], encoding: ItemEncoding): WireItem[] {
  return messages.flatMap((message) => encodeMessage(message, encoding));
}

function encodeMessage(message: ChatMessage, encoding: ItemEncoding): WireItem[] {
  if (message.role === 'tool') return message.content.map(encodeToolOutput);
  if (message.role === 'assistant') return encodeTurn(message, encoding);
  const { role, content } = message;
  return [{ role, content: typeof content === 'string' ? content : content.map(encodePart) }];
}
