import { FENCE } from './tags.js';

/**
 * The content of a text that is one code fence.
 *
 * @param mayBeOpen whether the end of the fence may be missing
 */
export function unfence(text: string, mayBeOpen = false): string | undefined {
  const fenced = text.trim();
  if (!fenced.startsWith(FENCE)) return undefined;
  const isClosed = fenced.length >= 2 * FENCE.length && fenced.endsWith(FENCE);
  if (!isClosed && !mayBeOpen) return undefined;
  return withoutInfo(fenced.slice(FENCE.length, isClosed ? -FENCE.length : undefined)).trim();
}

/** Without the word behind the begin of a fence that names the language. */
export function withoutInfo(text: string): string {
  return text.replace(/^[\w-]*/, '');
}
