import { MAY_BE_INEXACT } from './exact-number.js';
import { parseJson } from './parse-json.js';

const LONG = 16;
/** Beyond all bounds, or next to nothing. */
const LONG_EXPONENT = /\d[eE][-+]?\d{3}/;

/**
 * `JSON.parse` of what a server sends, but that whole numbers which JavaScript would round become text:
 * they may be arguments of a call, and a tool must not get another number than the model wrote.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  return (mayHoldLongNumber(text) && MAY_BE_INEXACT.test(text)) || LONG_EXPONENT.test(text)
    ? parseJson(text, true)
    : JSON.parse(text);
}

/** A run of as many digits has one of them at each multiple of its length: a tenth of the expression's cost. */
function mayHoldLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    const code = text.charCodeAt(at);
    // "." or a digit.
    if (code === 46 || (code >= 48 && code <= 57)) return true;
  }
  return false;
}
