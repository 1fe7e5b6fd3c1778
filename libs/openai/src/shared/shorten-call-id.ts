import { createHash } from 'node:crypto';

/** An id that is too long for a server, as one of 37 characters: the same for the call and its result. */
export function shortenCallId(id: string, maxLength: number): string {
  return id.length > maxLength ? `call_${hashOf(id).slice(0, 32)}` : id;
}

/** Hexadecimal. */
export function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
