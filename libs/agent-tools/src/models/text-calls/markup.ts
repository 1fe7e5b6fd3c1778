import { PLAIN_KEYS } from './call.keys.js';
import type { TextCall } from './interfaces/text-call.interface.js';
import { CALL_END, CALL_TAG, RESPONSE_TAG } from './tags.js';
import { parseTextCall } from './text-call.parser.js';

/** The first place in a text that must not be shown as it is. */
export interface Markup {
  readonly kind: 'call' | 'response' | 'open';
  readonly start: number;
  /** Behind the markup. */
  readonly end: number;
  /** Of the kind `call`. */
  readonly call?: TextCall;
}

/**
 * Finds the first complete `<tool_call>` with the name of a tool, the first made-up
 * `<tool_response>`, or what may become one of them when more text comes (`open`). What a call block
 * contains that is none is text.
 *
 * @param names of the tools; without any, nothing is a call
 */
export function findMarkup(text: string, names: ReadonlySet<string>): Markup | undefined {
  const tags = names.size > 0 ? [CALL_TAG, RESPONSE_TAG] : [RESPONSE_TAG];
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', start + 1)) {
    const tag = tags.find((name) => beginsWith(text, start, name));
    if (!tag) continue;
    if (!text.startsWith(tag, start)) return { kind: 'open', start, end: text.length };
    if (tag === RESPONSE_TAG) return { kind: 'response', start, end: text.length };
    const close = text.indexOf(CALL_END, start);
    if (close < 0) return { kind: 'open', start, end: text.length };
    const end = close + CALL_END.length;
    const block = text.slice(start, end);
    const content = block.slice(CALL_TAG.length, -CALL_END.length).trim();
    const call = parseTextCall(content, names, PLAIN_KEYS);
    if (call) return { kind: 'call', start, end, call };
    const response = block.indexOf(RESPONSE_TAG);
    if (response >= 0) return { kind: 'response', start: start + response, end: text.length };
    start = end - 1;
  }
  return undefined;
}

/** Whether the tag is there, or as much of it as there is text. */
function beginsWith(text: string, start: number, tag: string): boolean {
  return tag.startsWith(text.slice(start, start + tag.length));
}
