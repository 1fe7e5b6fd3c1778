import { LooseJsonException } from './loose-json.exception.js';

const CLOSING: Readonly<Record<string, string>> = { '“': '”', '‘': '’' };

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const LETTER = /\p{L}/u;
const UNICODE_ESCAPE = /\\u([0-9a-fA-F]{4})/y;
/** Of Python and JavaScript. In double quotes, a backslash that is not doubled is more likely. */
const HEX_ESCAPE = /\\x([0-9a-fA-F]{2})/y;

/**
 * Reads the string that starts with the quote at `start`. Raw line breaks stand for themselves; an
 * escape that neither JSON, JavaScript nor Python knows could mean two things and is refused.
 *
 * @throws LooseJsonException
 */
export function readLooseString(
  text: string,
  start: number,
): { readonly value: string; readonly end: number } {
  const quote = text[start];
  const closing = CLOSING[quote] ?? quote;
  let value = '';
  let at = start + 1;
  let from = at;
  for (; at < text.length; at++) {
    const character = text[at];
    if (character === closing && !isApostrophe(text, at)) {
      value += text.slice(from, at);
      refuseQuotes(quote, value);
      return { value, end: at + 1 };
    }
    if (character !== '\\') continue;
    const escape = readEscape(text, at, quote);
    value += text.slice(from, at) + escape.value;
    from = at + escape.length;
    at = from - 1;
  }
  throw new LooseJsonException('the text ends inside a string');
}

/** Inside a word, a single quote can be no end: no JSON goes on with a letter. */
function isApostrophe(text: string, at: number): boolean {
  if (text[at] !== "'" && text[at] !== '’') return false;
  return LETTER.test(text[at - 1]) && LETTER.test(text[at + 1] ?? '');
}

/** Between typographic quotes, other quotes are a sign that the closing one is not the right one. */
function refuseQuotes(quote: string, value: string): void {
  const others =
    quote === '“' ? /["“]/ : quote === '‘' ? /["‘]|(?<!\p{L})'|'(?!\p{L})/u : undefined;
  if (others?.test(value)) throw new LooseJsonException('its quotes do not fit together');
}

function readEscape(text: string, at: number, quote: string): { value: string; length: number } {
  const next = text[at + 1];
  // In Python, the backslash of `\/` is a character.
  const simple = next === '/' && quote === "'" ? undefined : ESCAPES[next];
  if (simple !== undefined) return { value: simple, length: 2 };
  const pattern = next === 'x' && quote === "'" ? HEX_ESCAPE : UNICODE_ESCAPE;
  pattern.lastIndex = at;
  const [escape, code] = pattern.exec(text) ?? [];
  if (escape === undefined) {
    throw new LooseJsonException(
      at + 1 >= text.length
        ? 'the text ends inside a string'
        : 'a backslash in a string is not doubled',
    );
  }
  return { value: String.fromCharCode(parseInt(code, 16)), length: escape.length };
}
