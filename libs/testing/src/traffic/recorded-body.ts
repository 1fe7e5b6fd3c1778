import type { RecordedBody } from '../interfaces/traffic.interface.js';
import type { SecretRedactor } from './secret.redactor.js';

/** JavaScript would round such a number. */
const LONG_NUMBER = /\d{16}/;
const STRING = /"(?:[^"\\]|\\.)*"/g;

/** Bytes → the form in which the file has them. */
export function encodeBody(bytes: Buffer, redactor: SecretRedactor): RecordedBody {
  if (bytes.length === 0) return null;
  const text = toText(bytes);
  if (text === undefined) return { base64: redactor.redactBytes(bytes).toString('base64') };
  const json = parseExactJson(text);
  return json === undefined ? redactor.redactText(text) : (redactor.redactJson(json) as object);
}

/** The bytes of a body in a file. */
export function decodeBody(body: RecordedBody): Buffer {
  if (body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  return isBinary(body) ? Buffer.from(body.base64, 'base64') : Buffer.from(JSON.stringify(body));
}

/** The object or list that a text is; undefined if it cannot be written again as it was. */
export function parseExactJson(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text) || LONG_NUMBER.test(text.replace(STRING, ''))) return undefined;
  try {
    const json = JSON.parse(text) as object;
    return isBinary(json) ? undefined : json;
  } catch {
    return undefined;
  }
}

function isBinary(body: object): body is { base64: string } {
  return (
    Object.keys(body).join() === 'base64' &&
    typeof (body as { base64: unknown }).base64 === 'string'
  );
}

function toText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
