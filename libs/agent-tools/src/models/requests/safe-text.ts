import { Secrets } from './secrets.js';

const MAX_TEXT = 1_000;
const ANY = new Secrets();

/**
 * A text from a server as a log may have it: without what looks like a credential, and cut.
 *
 * @param maxLength In characters. @default 1_000
 * @publicApi
 */
export function toSafeText(text: string, maxLength = MAX_TEXT): string {
  return cut(ANY.redact(text), maxLength);
}

export function cut(text: string, length = MAX_TEXT): string {
  const whole = text.toWellFormed();
  return whole.length > length ? `${whole.slice(0, length).toWellFormed()}…` : whole;
}

export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
