import type { RawChunk } from '../interfaces/from-chunks.interface.js';
import { TestSetupException } from './test-setup.exception.js';

/** @throws TestSetupException if a whole answer has several objects */
export function encodeChunks(
  chunks: readonly RawChunk[],
  isStream: boolean,
  done: boolean,
): Uint8Array[] {
  const objects = chunks.filter((chunk) => typeof chunk === 'object' && !isBytes(chunk));
  if (!isStream && objects.length > 1) {
    throw new TestSetupException(
      `The script of fromChunks() has ${objects.length} objects, but a whole answer is one. Call stream(), or ` +
        'give one chunk with the whole answer.',
    );
  }
  const pieces = chunks.map((chunk) => encode(chunk, isStream));
  return done && isStream ? [...pieces, Buffer.from('data: [DONE]\n\n')] : pieces;
}

function encode(chunk: RawChunk, isStream: boolean): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (isBytes(chunk)) return chunk;
  const json = JSON.stringify(chunk);
  if (!isStream) return Buffer.from(json);
  const { type } = chunk as { readonly type?: unknown };
  return Buffer.from(`${typeof type === 'string' ? `event: ${type}\n` : ''}data: ${json}\n\n`);
}

/** Jest gives each test file another `Uint8Array`, so that `instanceof` would not do. */
function isBytes(chunk: RawChunk): chunk is Uint8Array {
  return ArrayBuffer.isView(chunk);
}
