import type { JsonToken } from './json-token.interface.js';
import { LooseJsonException } from './loose-json.exception.js';
import { readLooseString } from './loose-string.reader.js';

/** The tokens of one object or array, and what about them is not JSON. */
export interface LexedValue {
  readonly tokens: readonly JsonToken[];
  /** Where the text goes on after the value. */
  readonly end: number;
  /** Brackets that the text leaves open. */
  readonly open: number;
  /** What was read that JSON does not know, for the report. */
  readonly repairs: ReadonlySet<string>;
}

const PUNCTUATION = '{}[]:,';
const OPENING_QUOTES = '"\'“‘';
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_$][\w$-]*/y;
const BLANK = /\s+/y;
/** To the end of its line, or to its own end; one that ends with the text may hide what was meant. */
const COMMENT = /(?:(?:\/\/|#)([^\n\r\u2028\u2029]*)[\n\r\u2028\u2029]|\/\*([^]*?)\*\/)/y;
/** Signs of values in a comment: brackets, ends of strings, another comment, an ellipsis. */
const DOUBTFUL_COMMENT = /[{}[\]…]|["“”'‘’]\s*[:,]|[:,]\s*["“”'‘’]|^\s*["“”'‘’\d(]|\.\.\.|\/\*/;
const LITERALS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

/**
 * Splits the value that starts at `start` into tokens: JSON, and of what is not JSON only that which
 * can be read in one way: other quotes, Python's literals, comments, keys without quotes.
 *
 * @throws LooseJsonException
 */
export function lexValue(text: string, start: number): LexedValue {
  const tokens: JsonToken[] = [];
  const repairs = new Set<string>();
  let open = 0;
  let at = start;
  while (at < text.length) {
    at = skipBlank(text, at, repairs);
    if (at >= text.length) break;
    const character = text[at];
    if (PUNCTUATION.includes(character)) {
      tokens.push({ kind: character as JsonToken['kind'], json: character });
      at++;
      if (character === '{' || character === '[') open++;
      if ((character === '}' || character === ']') && --open === 0) break;
    } else if (OPENING_QUOTES.includes(character)) {
      const { value, end } = readLooseString(text, at);
      tokens.push({ kind: 'string', json: JSON.stringify(value) });
      if (character !== '"') repairs.add('replaced the quotes by double quotes');
      at = end;
      refuseInnerQuote(text, at);
    } else {
      at = readWord(text, at, tokens, repairs);
    }
  }
  return { tokens, end: at, open, repairs };
}

function skipBlank(text: string, start: number, repairs: Set<string>): number {
  let at = start;
  for (;;) {
    BLANK.lastIndex = at;
    at += BLANK.exec(text)?.[0].length ?? 0;
    if (text[at] !== '/' && text[at] !== '#') return at;
    at += commentAt(text, at).length;
    repairs.add('dropped comments');
  }
}

/** After a quote or a number, what looks like a comment may be a part of the value. */
function commentAt(text: string, at: number): string {
  COMMENT.lastIndex = at;
  const [comment, line, block] = COMMENT.exec(text) ?? [];
  const content = line ?? block ?? '';
  const isDoubtful = DOUBTFUL_COMMENT.test(content) || content.split('"').length % 2 === 0;
  if (comment === undefined || isDoubtful || !/[\s{}[\],:]/.test(text[at - 1] ?? ' ')) {
    throw new LooseJsonException('what looks like a comment may be a part of a value');
  }
  return comment;
}

/** With a quote that is not escaped, where the string ends is anybody's guess. */
function refuseInnerQuote(text: string, end: number): void {
  const next = skipBlank(text, end, new Set());
  if (next >= text.length || ',:}]'.includes(text[next])) return;
  if (text.slice(end, next).includes('\n') && isKey(text, next)) return;
  throw new LooseJsonException(
    'a string is followed by more text: a quote inside it is not escaped, or a comma is missing',
  );
}

/** On the next line, a key leaves no doubt that the string has ended and a comma is missing. */
function isKey(text: string, at: number): boolean {
  if (text[at] !== '"') return false;
  const end = text.indexOf('"', at + 1);
  const name = text.slice(at + 1, end);
  return end > 0 && /^[\w$-]+$/.test(name) && /^\s*:/.test(text.slice(end + 1, end + 20));
}

function readWord(text: string, at: number, tokens: JsonToken[], repairs: Set<string>): number {
  NUMBER.lastIndex = at;
  const [number] = NUMBER.exec(text) ?? [];
  if (number !== undefined) {
    const end = at + number.length;
    // A date, an address or a hexadecimal number would fall apart into several tokens.
    if (end < text.length && !/[\s,:}\]]/.test(text[end])) throw notJson(text, at);
    tokens.push({ kind: 'number', json: number });
    return end;
  }
  NAME.lastIndex = at;
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) throw notJson(text, at);
  const end = at + name.length;
  const literal = LITERALS.get(name);
  if (text[skipBlank(text, end, repairs)] === ':') {
    tokens.push({ kind: 'name', json: JSON.stringify(name) });
    repairs.add('quoted the keys');
  } else if (literal !== undefined) {
    tokens.push({ kind: 'literal', json: literal });
    if (literal !== name) repairs.add('read Python literals');
  } else {
    throw notJson(text, at);
  }
  return end;
}

function notJson(text: string, at: number): LooseJsonException {
  return new LooseJsonException(
    `what stands at character ${at + 1} of ${text.length} is neither quoted nor a number, ` +
      'true, false or null',
  );
}
