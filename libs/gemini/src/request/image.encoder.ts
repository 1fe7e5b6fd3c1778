import { ChatModelException, type ImagePart } from 'nestjs-agent-tools';
import type { WireRequestPart } from './interfaces/content-encoding.interface.js';

const DATA_URL = /^data:([^;,]+)[^,]*?(;base64)?,/i;
const TYPES = new Map([
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
]);
/** The server demands a type, and most images in the web are of this one. */
const USUAL_TYPE = 'image/jpeg';

/**
 * An image with its bytes, or by its address.
 *
 * @throws ChatModelException for a `data:` URL that is none
 */
export function encodeImage({ url }: ImagePart): WireRequestPart {
  if (!/^data:/i.test(url)) return { fileData: { fileUri: url, mimeType: guessType(url) } };
  const match = DATA_URL.exec(url);
  if (!match?.[1]) {
    throw new ChatModelException(
      'An image cannot be sent to Gemini: its `data:` URL names no type. ' +
        'Give it the form data:image/png;base64,… .',
    );
  }
  const data = url.slice(match[0].length);
  return { inlineData: { mimeType: match[1], data: match[2] ? data : toBase64(data) } };
}

function toBase64(data: string): string {
  try {
    return Buffer.from(decodeURIComponent(data)).toString('base64');
  } catch (cause) {
    throw new ChatModelException(
      'An image cannot be sent to Gemini: its `data:` URL is neither base64 nor percent-encoded.',
      { cause },
    );
  }
}

function guessType(url: string): string {
  const path = url.replace(/[?#].*$/, '');
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TYPES.get(extension) ?? USUAL_TYPE;
}
