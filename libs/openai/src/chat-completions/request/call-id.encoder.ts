import type { WholeProfile } from '../../profiles/profile.finder.js';
import { hashOf, shortenCallId } from '../../shared/shorten-call-id.js';

const NINE = /^[a-zA-Z0-9]{9}$/;

/** The id of a call in the form that the server takes: the same for the call and its result. */
export function encodeCallId(id: string, { callIds = 'any' }: WholeProfile): string {
  if (callIds === 'any') return id;
  if (callIds === 'at-most-40') return shortenCallId(id, 40);
  return NINE.test(id) ? id : hashOf(id).slice(0, 9);
}
