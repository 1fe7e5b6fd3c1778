import { parseJson } from './parse-json.js';

const LONG = 16;
/**
 * A number that may be inexact: long, or beyond all bounds. (In a text, digits hardly ever stand behind a
 * colon or a comma; ids and times in it would make each event slow.)
 */
const LONG_NUMBER = /[:,[]\s{0,8}-?(?!0\.)\d[\d.]{15}/;
const EXPONENT = /\d[eE][-+]?\d{3}/;
const LONG_EXPONENT = /[:,[]\s{0,8}-?[\d.]{1,64}[eE][-+]?\d{3}/;

/**
 * `JSON.parse` of what a server sends, but that whole numbers which JavaScript would round become text:
 * they may be arguments of a call, and a tool must not get another number than the model wrote.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const mayBeInexact =
    (mayHoldLongNumber(text) && LONG_NUMBER.test(text)) ||
    // The first one is several times as fast.
    (EXPONENT.test(text) && LONG_EXPONENT.test(text));
  return mayBeInexact ? parseJson(text, true) : JSON.parse(text);
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
