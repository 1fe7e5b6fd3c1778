import type { jsonrepair } from 'jsonrepair';
import { loadPackage } from '../../utils/load-package.js';
import type { JsonToken } from '../json/json-token.interface.js';
import { LooseJsonException } from '../json/loose-json.exception.js';
import { lexValue } from '../json/loose-json.lexer.js';
import { printTokens } from '../json/parse-json.js';

const MAX_REPAIRS = 100;

/**
 * Has `jsonrepair` add or drop commas and brackets, and accepts what it did only if nothing else
 * changed: every string, number and literal is the same and in its place, commas were added before
 * a key or dropped before a bracket, and brackets were closed at the end alone.
 *
 * @throws LooseJsonException
 */
export function repairStructure(
  tokens: readonly JsonToken[],
  repairs: Set<string>,
): readonly JsonToken[] {
  refuseManyRepairs(tokens);
  const skeleton = tokens.map(withoutText);
  const result: JsonToken[] = [];
  let at = 0;
  for (const token of lexValue(repair(printTokens(skeleton)), 0).tokens) {
    if (isCloser(token) && isTrailingComma(tokens, at)) {
      repairs.add('dropped trailing commas');
      at++;
    }
    if (skeleton[at]?.json === token.json) {
      result.push(tokens[at++]);
      continue;
    }
    result.push(token);
    if (token.kind === ',' && isKey(tokens, at)) repairs.add('added missing commas');
    else if (isCloser(token) && tokens.slice(at).every(isCloser)) repairs.add('closed brackets');
    else throw unclear();
  }
  if (at !== tokens.length) throw unclear();
  return result;
}

/** The library has ideas about what stands in strings, and must not see any. */
function withoutText(token: JsonToken, index: number): JsonToken {
  const isText = token.kind === 'string' || token.kind === 'name';
  return isText ? { kind: 'string', json: `"text${index}"` } : token;
}

function repair(json: string): string {
  const library = loadPackage<{ jsonrepair: typeof jsonrepair }>(
    'jsonrepair',
    'The repair of arguments',
  );
  try {
    return library.jsonrepair(json);
  } catch {
    throw unclear();
  }
}

function isCloser({ kind }: JsonToken): boolean {
  return kind === '}' || kind === ']';
}

/** After anything but a value, a comma stands for a value that was lost. */
function isTrailingComma(tokens: readonly JsonToken[], at: number): boolean {
  return tokens[at]?.kind === ',' && !['{', '[', ':', ','].includes(tokens[at - 1].kind);
}

/** A key in quotes; of one without, nobody knows where the value before it ends. */
function isKey(tokens: readonly JsonToken[], at: number): boolean {
  return tokens[at + 1]?.kind === ':' && tokens[at].kind === 'string';
}

/**
 * The library takes time for each repair and each character. What it would do between two values that
 * stand beside each other would be refused in any case.
 */
function refuseManyRepairs(tokens: readonly JsonToken[]): void {
  let count = 0;
  let open = 0;
  for (const [at, { kind }] of tokens.entries()) {
    if (kind === '{' || kind === '[') open++;
    if (kind === '}' || kind === ']') open--;
    const before = tokens[at - 1]?.kind;
    const isBeside = !isSeparator(kind) && before !== undefined && endsValue(before);
    if (isBeside && !isKey(tokens, at)) throw unclear();
    const isTrailing = (kind === '}' || kind === ']') && before === ',';
    if (isBeside || isTrailing) count++;
  }
  if (count + open > MAX_REPAIRS) throw new LooseJsonException('too much of it is broken');
}

function isSeparator(kind: JsonToken['kind']): boolean {
  return kind === ',' || kind === ':' || kind === '}' || kind === ']';
}

function endsValue(kind: JsonToken['kind']): boolean {
  return kind !== ',' && kind !== ':' && kind !== '{' && kind !== '[';
}

function unclear(): LooseJsonException {
  return new LooseJsonException('its commas and brackets do not fit together in one way only');
}
