import { ChatModelException, type ImagePart } from 'nestjs-agent-tools';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { SdkPart } from '../interfaces/sdk-call.interface.js';
import { optionsOf } from '../part.metadata.js';

/** An image in itself, in base64, or where it is. */
type ImageSource =
  | { readonly base64: string; readonly mediaType: string }
  | { readonly url: URL; readonly mediaType: string };

/** An image of a message of the user. */
export function encodeFile(image: ImagePart, encoding: PromptEncoding): SdkPart {
  const source = readImage(image, encoding.label);
  const isV4 = encoding.specification === 'v4';
  return {
    type: 'file',
    mediaType: source.mediaType,
    data: isV4 ? toTagged(source) : 'url' in source ? source.url : source.base64,
    ...optionsOf(image, encoding.provider),
  };
}

/** An image of a tool result, or `undefined` if results of the specification cannot hold it. */
export function encodeResultImage(image: ImagePart, encoding: PromptEncoding): SdkPart | undefined {
  const source = readImage(image, encoding.label);
  const { mediaType } = source;
  if (encoding.specification === 'v4') return { type: 'file', mediaType, data: toTagged(source) };
  if (encoding.specification === 'v3') {
    return 'url' in source
      ? { type: 'image-url', url: source.url.toString() }
      : { type: 'image-data', data: source.base64, mediaType };
  }
  return 'url' in source ? undefined : { type: 'media', data: source.base64, mediaType };
}

function toTagged(source: ImageSource): object {
  return 'url' in source ? { type: 'url', url: source.url } : { type: 'data', data: source.base64 };
}

function readImage({ url }: ImagePart, label: string): ImageSource {
  const data = /^data:([^,]*),(.*)$/is.exec(url);
  const isAddress = !/^data:/i.test(url) && URL.canParse(url);
  if (isAddress) return { url: new URL(url), mediaType: 'image/*' };
  try {
    const [, head, body] = data ?? [];
    if (head !== undefined && body !== undefined) return readData(head, body);
  } catch {
    // A percent sign that encodes nothing.
  }
  throw new ChatModelException(
    `${label} cannot be sent the image "${url.slice(0, 40)}": it is neither an address nor a data: URL. ` +
      'Give an `https:` address or `data:image/png;base64,…`.',
  );
}

function readData(head: string, body: string): ImageSource {
  const [type, ...parameters] = head.split(';').map((text) => text.trim().toLowerCase());
  const mediaType = type?.startsWith('image/') ? type : 'image/*';
  const base64 = parameters.includes('base64')
    ? body
    : Buffer.from(decodeURIComponent(body)).toString('base64');
  return { base64, mediaType };
}
