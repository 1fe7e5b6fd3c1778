import type { ImagePart, TextPart } from 'nestjs-agent-tools';
import type { WireRequestMessage } from './interfaces/message-encoding.interface.js';

/** A part of a user's message. */
export function encodePart(part: TextPart | ImagePart): WireRequestMessage {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: part.url } };
}
