import { isIsoDate } from '../../utils/is-iso-date.js';
import { JsonType } from '../../schemas/shape/schema-shape.js';
import { ExactNumber, isInexact } from '../json/exact-number.js';
import { parseJson } from '../json/parse-json.js';

const NUMERIC = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BOOLEAN = /^(?:true|false)$/i;
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?Z?$/;

/** What text says in another type, and the words for it. */
export interface ReadScalar {
  readonly value: unknown;
  readonly as: string;
}

/**
 * Reads text as one of the wanted types, if it can only mean that: `"5"` as a number, `"True"` as a
 * boolean, JSON text as an array or an object. `"0x1F"`, `"1,5"`, `"007"` and `"yes"` stay text.
 */
export function readText(text: string, types: number): ReadScalar | undefined {
  const trimmed = text.trim();
  if (types & (JsonType.number | JsonType.integer) && NUMERIC.test(trimmed)) {
    return readNumber(trimmed, types);
  }
  if (types & JsonType.boolean && BOOLEAN.test(trimmed)) {
    return { value: trimmed.toLowerCase() === 'true', as: 'a boolean' };
  }
  if (types & JsonType.null && trimmed === 'null') return { value: null, as: 'null' };
  if (types & JsonType.array && trimmed.startsWith('[')) return readJson(trimmed, 'an array');
  if (types & JsonType.object && trimmed.startsWith('{')) return readJson(trimmed, 'an object');
  return undefined;
}

function readNumber(text: string, types: number): ReadScalar | undefined {
  const value = Number(text);
  if (isInexact(text)) return undefined;
  if (!(types & JsonType.number) && !Number.isInteger(value)) return undefined;
  return {
    value: value === 0 ? 0 : value,
    as: types & JsonType.number ? 'a number' : 'an integer',
  };
}

function readJson(text: string, as: string): ReadScalar | undefined {
  try {
    return { value: parseJson(text), as };
  } catch {
    // Not JSON: it stays the text that it is, which the validation refuses.
    return undefined;
  }
}

/** The digits of a number that cannot be held, where the schema wants text. */
export function readExactNumber({ digits }: ExactNumber, types: number): ReadScalar | undefined {
  const isTextWanted = types !== JsonType.any && (types & JsonType.string) !== 0;
  return isTextWanted ? { value: digits, as: 'text' } : undefined;
}

/** The date of a date-time at midnight, which says no more than the date. */
export function readDate(text: string): ReadScalar | undefined {
  const date = MIDNIGHT.exec(text)?.[1];
  return date !== undefined && isIsoDate(date) ? { value: date, as: 'a date' } : undefined;
}
