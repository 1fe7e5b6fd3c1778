import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;

/** OpenAI refuses longer ids, which other providers give; the same for the call and its result. */
export function encodeCallId(id: string): string {
  return id.length > MAX_LENGTH
    ? `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
    : id;
}
