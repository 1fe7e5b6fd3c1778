import { isBlank } from './is-blank.js';

/** One field of an object. */
export interface JsonField {
  readonly key: string;
  /** As it is written. */
  readonly value: string;
  /** Key and value, as they are written. */
  readonly text: string;
}

export interface JsonFields {
  readonly fields: readonly JsonField[];
  /** Whether nothing else stands in the object. */
  readonly isWhole: boolean;
}

/**
 * The fields of an object as they are written, so that no digit of a number is lost, and none of two
 * with the same key. Broken JSON is read as far as it goes: a value that does not end reaches to the
 * end.
 */
export function fieldsOf(object: string): JsonFields {
  const fields: JsonField[] = [];
  let at = skipBlanks(object, 1);
  while (at < object.length && isQuote(object[at])) {
    const begin = at;
    const keyEnd = valueEnd(object, at);
    const key = object.slice(at + 1, keyEnd - 1);
    at = skipBlanks(object, keyEnd);
    if (object[at] !== ':') return { fields, isWhole: false };
    at = skipBlanks(object, at + 1);
    const end = valueEnd(object, at);
    fields.push({ key, value: object.slice(at, end), text: object.slice(begin, end) });
    at = skipBlanks(object, end);
    if (object[at] !== ',') break;
    at = skipBlanks(object, at + 1);
  }
  return { fields, isWhole: isOnlyClosers(object.slice(at)) };
}

/** The objects of a list, or one after the other; what follows them, too. */
export function objectsOf(text: string): { objects: string[]; rest: string } {
  const objects: string[] = [];
  let at = skipBlanks(text, 0);
  const isList = text[at] === '[';
  if (isList) at = skipBlanks(text, at + 1);
  while (text[at] === '{') {
    const end = valueEnd(text, at);
    objects.push(text.slice(at, end));
    at = skipBlanks(text, end);
    const next = text[at] === ',' ? skipBlanks(text, at + 1) : at;
    if (isList || text[next] === '{') at = next;
  }
  if (isList && text[at] === ']') at = skipBlanks(text, at + 1);
  return { objects, rest: text.slice(at) };
}

/** Models lose count of their brackets. */
export function isOnlyClosers(text: string): boolean {
  return /^[\s}\]]*$/.test(text);
}

function valueEnd(text: string, at: number): number {
  if (isQuote(text[at])) return stringEnd(text, at);
  if (text[at] !== '{' && text[at] !== '[') return wordEnd(text, at);
  let depth = 0;
  for (let next = at; next < text.length; next++) {
    const character = text[next];
    if (character === '"') next = stringEnd(text, next) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return next + 1;
  }
  return text.length;
}

function stringEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++;
    else if (text[next] === text[at]) return next + 1;
  }
  return text.length;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !',}]'.includes(text[end]) && !isBlank(text[end])) end++;
  return end;
}

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (next < text.length && isBlank(text[next])) next++;
  return next;
}

/** Of JSON, and of what some models write for it. */
function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}
