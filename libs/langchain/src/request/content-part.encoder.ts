import type { ImagePart, TextPart } from 'nestjs-agent-tools';
import type { LangChainBlock } from '../interfaces/langchain-model.interface.js';

/** `image_url` is the one form of an image that the packages of all providers take. */
export function encodePart(part: TextPart | ImagePart): LangChainBlock {
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image_url', image_url: { url: part.url } };
}
