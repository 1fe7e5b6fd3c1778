import { ChatModelException, type ImagePart, type TextPart } from 'nestjs-agent-tools';
import { toSafeText } from 'nestjs-agent-tools/model-kit';
import { readMetadata } from '../block.metadata.js';
import type { WireBlock } from './interfaces/wire-request.interface.js';

const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const MAX_SHOWN = 40;

/** Parts of a user's message or a tool's result. Anthropic refuses blank texts, so they are left out. */
export function encodeParts(content: string | readonly (TextPart | ImagePart)[]): WireBlock[] {
  if (typeof content === 'string') return encodeText(content);
  return content.flatMap((part) => {
    const { block } = readMetadata(part.providerMetadata);
    if (block) return [block];
    return part.type === 'text' ? encodeText(part.text) : [encodeImage(part)];
  });
}

function encodeText(text: string): WireBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function encodeImage({ url }: ImagePart): WireBlock {
  if (/^https:/i.test(url)) return { type: 'image', source: { type: 'url', url } };
  if (!/^data:/i.test(url)) {
    throw unusable(url, 'Give it an https: address, or a data: URL with its content.');
  }
  const comma = url.indexOf(',');
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).toLowerCase().split(';');
  if (comma < 0 || parameters.at(-1) !== 'base64') {
    throw unusable(url, 'Encode the content of a data: URL with base64.');
  }
  if (!IMAGES.has(mediaType)) {
    throw unusable(url, `Of the type "${mediaType}" it takes none: use JPEG, PNG, GIF or WebP.`);
  }
  const data = url.slice(comma + 1);
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

function unusable(url: string, remedy: string): ChatModelException {
  const shown = toSafeText(url, MAX_SHOWN);
  return new ChatModelException(`Anthropic does not take the image "${shown}". ${remedy}`);
}
