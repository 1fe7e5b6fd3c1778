import { createHash } from 'node:crypto';

const VALID = /^[a-zA-Z0-9_-]+$/;
const LENGTH = 24;

/** The id of a call in the form that Anthropic takes: the same for the call and its result. */
export function encodeCallId(id: string): string {
  if (VALID.test(id)) return id;
  return `toolu_${createHash('sha256').update(id).digest('hex').slice(0, LENGTH)}`;
}
