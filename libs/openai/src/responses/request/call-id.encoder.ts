import { shortenCallId } from '../../shared/shorten-call-id.js';

const MAX_LENGTH = 64;

/** OpenAI refuses longer ids, which other providers give. */
export function encodeCallId(id: string): string {
  return shortenCallId(id, MAX_LENGTH);
}
