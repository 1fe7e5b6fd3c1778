import type { ImagePart, TextPart } from 'nestjs-agent-tools';
import type { WireItem } from './interfaces/item-encoding.interface.js';

/** A part of a user's message, or of a tool result. */
export function encodePart(part: TextPart | ImagePart): WireItem {
  return part.type === 'text'
    ? { type: 'input_text', text: part.text }
    : { type: 'input_image', image_url: part.url, detail: 'auto' };
}
