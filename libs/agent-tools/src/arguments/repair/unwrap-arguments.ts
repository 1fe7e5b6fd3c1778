import { ExactNumber } from '../json/exact-number.js';
import { parseJson } from '../json/parse-json.js';

export const WRAPPERS = ['parameters', 'arguments', 'args', 'input'];
/** What models write beside the arguments when they write the whole call into them. */
const BESIDE = new Set(['name', 'type', 'id']);
const CALL_TYPES = new Set<unknown>(['function', 'function_call', 'tool_call', 'tool_use']);

type Fields = Record<string, unknown>;

/**
 * Takes the arguments out of a wrapper such as `{ "arguments": { … } }`, if none of its keys is an
 * argument of the tool.
 *
 * @param allowed the arguments of the tool
 */
export function unwrapArguments(
  fields: Fields,
  toolNames: readonly string[],
  allowed: ReadonlySet<string>,
  repairs: string[],
): Fields {
  if (!mayBeWrapped(fields)) return fields;
  const wrapper = WRAPPERS.find((key) => Object.hasOwn(fields, key) && !allowed.has(key));
  if (wrapper === undefined) return fields;
  const isWrapper = Object.keys(fields).every(
    (key) => key === wrapper || (BESIDE.has(key) && !allowed.has(key)),
  );
  // The arguments of another tool are not for this one.
  const isOurs =
    (fields.name === undefined || toolNames.includes(fields.name as string)) &&
    (fields.type === undefined || CALL_TYPES.has(fields.type));
  const inner = isWrapper && isOurs ? toFields(fields[wrapper]) : undefined;
  if (!inner) return fields;
  repairs.push(`took the arguments out of "${wrapper}"`);
  return inner;
}

/** The check that every call pays, written out for speed. */
function mayBeWrapped(fields: Fields): boolean {
  return 'arguments' in fields || 'parameters' in fields || 'args' in fields || 'input' in fields;
}

function toFields(value: unknown): Fields | undefined {
  const inner = typeof value === 'string' ? tryParse(value) : value;
  const isOther = Array.isArray(inner) || inner instanceof ExactNumber;
  return inner !== null && typeof inner === 'object' && !isOther ? (inner as Fields) : undefined;
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
