import type { SchemaShape } from '../../schemas/shape/schema-shape.js';
import { ExactNumber } from '../json/exact-number.js';
import type { JsonToken } from '../json/json-token.interface.js';
import { LooseJsonException } from '../json/loose-json.exception.js';
import { parseTokens } from '../json/parse-json.js';
import { cutObject } from './cut-object.js';
import { repairStructure } from './fenced-json-repair.js';
import { refuseCutOff, refuseTwoPlaces } from './missing-brackets.js';
import { stripFence, stripTags, stripThought } from './strip-markup.js';
import { unescapeText } from './unescape-text.js';

/** Longer text is not repaired: it would take long, and is no slip of the pen. */
const MAX_REPAIRED_LENGTH = 262_144;

const UNWRAPPING = [stripThought, stripTags, stripFence, unescapeText];

/**
 * Reads text that is not JSON as the one object that it can only mean. What a repair may change are
 * quotes, commas, brackets, comments, Python's literals and what stands around the object; never a
 * value.
 *
 * @param shape of the input of the tool, if there is one
 * @param repairs gets a line for each kind of repair
 * @throws LooseJsonException if there is a doubt
 */
export function repairText(
  text: string,
  shape: SchemaShape | undefined,
  repairs: Set<string>,
): unknown {
  if (text.length > MAX_REPAIRED_LENGTH) throw new LooseJsonException('it is too long to be read');
  const inner = UNWRAPPING.reduce((rest, unwrap) => unwrap(rest, repairs), text);
  const { tokens, open } = cutObject(
    inner,
    shape?.properties && [...shape.properties.keys()],
    repairs,
  );
  if (open > 0) refuseCutOff(inner, tokens.at(-1));
  const parsed = tryParse(tokens);
  if (parsed !== undefined) {
    refuseDuplicates(tokens, parsed);
    return parsed;
  }
  const repaired = repairStructure(tokens, repairs);
  const value = parseTokens(repaired);
  refuseDuplicates(tokens, value);
  if (open > 0) refuseTwoPlaces(value, shape, tokens, repaired);
  return value;
}

function tryParse(tokens: readonly JsonToken[]): unknown {
  try {
    return parseTokens(tokens);
  } catch {
    return undefined;
  }
}

/** JSON takes the last of two values of a key, but in broken text neither is sure. */
function refuseDuplicates(tokens: readonly JsonToken[], value: unknown): void {
  const written = tokens.filter(({ kind }) => kind === ':').length;
  if (countKeys(value) < written) {
    throw new LooseJsonException('a key of it stands twice or is not allowed');
  }
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, item) => sum + countKeys(item), own);
}
