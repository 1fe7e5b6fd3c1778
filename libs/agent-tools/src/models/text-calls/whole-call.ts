import { keysOf, PLAIN_KEYS } from './call.keys.js';
import type { TextCall } from './interfaces/text-call.interface.js';
import { CALL_TAG, FENCE } from './tags.js';
import { parseTextCall } from './text-call.parser.js';
import { unfence, withoutInfo } from './unfence.js';

const LONGEST_INFO = 40;
const FIRST_KEYS = keysOf(PLAIN_KEYS).map((key) => `"${key}"`);

/** Reads a text that is nothing but one call, in a code fence or not. */
export function readWholeCall(text: string, names: ReadonlySet<string>): TextCall | undefined {
  // Said of the begin of a streamed text, this must hold for the whole of it.
  if (!mayBeWholeCall(text)) return undefined;
  return parseTextCall((unfence(text) ?? text).trim(), names, PLAIN_KEYS);
}

/**
 * Whether a text that begins like this may become one call, or a code fence with calls: true and
 * false are final, undefined means that more of it must be seen.
 */
export function mayBeWholeCall(begin: string): boolean | undefined {
  let text = begin.trimStart();
  if (FENCE.startsWith(text)) return undefined;
  if (text.startsWith(FENCE)) {
    const content = withoutInfo(text.slice(FENCE.length));
    if (text.length - FENCE.length - content.length > LONGEST_INFO) return false;
    text = content.trimStart();
    if (CALL_TAG.startsWith(text)) return undefined;
    if (text.startsWith(CALL_TAG)) return true;
  }
  if (!text.startsWith('{')) return false;
  const key = text.slice(1).trimStart();
  if (FIRST_KEYS.some((first) => key.startsWith(first))) return true;
  return FIRST_KEYS.some((first) => first.startsWith(key)) ? undefined : false;
}
