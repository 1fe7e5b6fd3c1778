import { propertyOf, type SchemaShape } from '../../schemas/shape/schema-shape.js';
import type { JsonToken } from '../json/json-token.interface.js';
import { LooseJsonException } from '../json/loose-json.exception.js';
import { WRAPPERS } from './unwrap-arguments.js';

/**
 * Refuses text that is cut off. Brackets may be missing only where the last thing before them is surely
 * complete. What a model puts into single quotes may end with an apostrophe.
 *
 * @throws LooseJsonException
 */
export function refuseCutOff(text: string, last: JsonToken | undefined): void {
  const isText = last?.kind === 'string' && text.trimEnd().endsWith('"');
  if (isText || last?.kind === '}' || last?.kind === ']') return;
  throw new LooseJsonException('it is cut off');
}

/**
 * Refuses a value whose brackets were closed at the end, if one of them could just as well have been
 * missing earlier: with a key that an outer object knows, or in a list of lists.
 *
 * @param written the tokens as they came
 * @param closed the same with the missing brackets at the end
 * @throws LooseJsonException
 */
export function refuseTwoPlaces(
  value: unknown,
  shape: SchemaShape | undefined,
  written: readonly JsonToken[],
  closed: readonly JsonToken[],
): void {
  const isBraceMissing = count(written, '}') < count(closed, '}');
  const isBracketMissing = count(written, ']') < count(closed, ']');
  const outer: SchemaShape[] = [];
  let container = value;
  let own = shape;
  let isInList = false;
  let hasOuterList = false;
  for (let depth = closersAtEnd(closed); depth > 0; depth--) {
    if (container === null || typeof container !== 'object') return;
    const keys = Object.keys(container);
    const isList = Array.isArray(container);
    const isKnownOutside =
      isBraceMissing && !isList && keys.slice(1).some((key) => outer.some((one) => has(one, key)));
    const isListInList =
      isList && keys.length > 1 && (isInList || (isBraceMissing && hasOuterList));
    // The order of such keys is not the one in which they were written.
    const isOrderLost = !isList && keys.some((key) => /^\d+$/.test(key));
    if (isKnownOutside || isOrderLost || (isBracketMissing && isListInList)) {
      throw new LooseJsonException('a bracket is missing, and could be in two places');
    }
    if (own) outer.push(own);
    const last = keys.at(-1);
    if (last === undefined) return;
    container = (container as Record<string, unknown>)[last];
    const isWrapper = WRAPPERS.includes(last) && own?.properties?.has(last) === false;
    if (!isWrapper) own = own && propertyOf(own, last);
    isInList = isList;
    hasOuterList ||= isList;
  }
}

function count(tokens: readonly JsonToken[], kind: JsonToken['kind']): number {
  return tokens.filter((token) => token.kind === kind).length;
}

function closersAtEnd(tokens: readonly JsonToken[]): number {
  return tokens.length - 1 - tokens.findLastIndex(({ kind }) => kind !== '}' && kind !== ']');
}

function has(shape: SchemaShape, key: string): boolean {
  if (shape.properties?.has(key)) return true;
  return [...(shape.all ?? []), ...(shape.branches ?? [])].some((part) =>
    part.properties?.has(key),
  );
}
