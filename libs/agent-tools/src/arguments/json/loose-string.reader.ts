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
const HEX_ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/y;

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
      return { value: value + text.slice(from, at), end: at + 1 };
    }
    if (character !== '\\') continue;
    const escape = readEscape(text, at);
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

function readEscape(text: string, at: number): { value: string; length: number } {
  const simple = ESCAPES[text[at + 1]];
  if (simple !== undefined) return { value: simple, length: 2 };
  HEX_ESCAPE.lastIndex = at;
  const [escape, long, short] = HEX_ESCAPE.exec(text) ?? [];
  if (escape === undefined) {
    throw new LooseJsonException(
      at + 1 >= text.length
        ? 'the text ends inside a string'
        : 'a backslash in a string is not doubled',
    );
  }
  return { value: String.fromCharCode(parseInt(long ?? short, 16)), length: escape.length };
}
