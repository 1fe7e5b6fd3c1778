import type { ImagePart } from './interfaces/chat-message.interface.js';

/** The first bytes of the formats that models read. */
const SIGNATURES: readonly (readonly [string, number, Buffer])[] = [
  ['image/png', 0, Buffer.from('\x89PNG', 'latin1')],
  ['image/jpeg', 0, Buffer.from('\xff\xd8\xff', 'latin1')],
  ['image/gif', 0, Buffer.from('GIF8')],
  ['image/webp', 8, Buffer.from('WEBP')],
];

/**
 * An image for a user message or a tool result, from its address or its bytes.
 *
 * ```ts
 * return new ToolResult([image(await readFile('chart.png'))]);
 * ```
 *
 * @param source An `https:` address, a `data:` URL, or the bytes.
 * @param mediaType Of the bytes. @default the one that they begin with: PNG, JPEG, GIF or WebP
 * @throws TypeError if the format of the bytes is not known, or the address is neither
 * @publicApi
 */
export function image(source: string | URL | Uint8Array, mediaType?: string): ImagePart {
  if (source instanceof Uint8Array) return { type: 'image', url: toDataUrl(source, mediaType) };
  const url = String(source);
  if (/^(?:https?:\/\/|data:image\/)/i.test(url)) return { type: 'image', url };
  throw new TypeError(
    'image() needs an https: address, a data: URL of an image, or the bytes of one. Read a file first: ' +
      'image(await readFile(path)).',
  );
}

function toDataUrl(bytes: Uint8Array, mediaType = findMediaType(bytes)): string {
  const { buffer, byteOffset, byteLength } = bytes;
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return `data:${mediaType};base64,${base64}`;
}

function findMediaType(bytes: Uint8Array): string {
  const found = SIGNATURES.find(([, offset, signature]) =>
    signature.equals(bytes.subarray(offset, offset + signature.length)),
  );
  if (found) return found[0];
  throw new TypeError(
    "image() does not know the format of these bytes. Give it: image(bytes, 'image/png').",
  );
}
