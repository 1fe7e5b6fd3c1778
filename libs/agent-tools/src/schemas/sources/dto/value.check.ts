import { isIsoDate } from '../../../utils/is-iso-date.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { JsonType, typeOf } from '../../shape/schema-shape.js';
import { listAlternatives, listValues } from '../issue-texts.js';
import { isDateShape, isScalar, type Shape } from './property-facts.js';

/** What the described shape demands of one value that is neither a class nor a list. */
export interface ValueCheck {
  /** Sum of `JsonType`s. */
  readonly types: number;
  readonly expected: string;
  readonly values?: readonly unknown[];
  /** What class-transformer makes of the value. */
  readonly made?: Made;
}

type Made = 'date' | 'number';

const DATE_MESSAGE =
  'must be an ISO 8601 date, or date and time with its offset (2026-01-31T09:30:00Z)';
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

/**
 * @param made the shape that class-transformer makes of the value
 * @returns undefined if the shape is no matter of one plain value
 */
export function valueCheckOf(
  shape: Shape | undefined,
  keywords: JsonSchema,
  made: Shape | undefined,
): ValueCheck | undefined {
  // An enum says all there is about a value.
  const values = keywords.enum?.length ? keywords.enum : undefined;
  if (shape?.kind !== 'scalar' && (shape !== undefined || !values)) return undefined;
  const type = shape?.kind === 'scalar' && !values ? shape.schema.type : undefined;
  const names = type === undefined ? [] : [type].flat();
  return {
    types: names.reduce((sum, name) => sum | JsonType[name as keyof typeof JsonType], 0),
    expected: `must be ${listAlternatives(names.map((name) => NAMES[name] ?? name))}`,
    values,
    made: isDateShape(shape) ? 'date' : madeOf(made),
  };
}

/** What is wrong with a value; undefined if nothing is. */
export function problemOf({ types, expected, values, made }: ValueCheck, value: unknown) {
  if (values && !values.includes(value)) return `must be one of ${listValues(values)}`;
  const isFinite = typeof value !== 'number' || Number.isFinite(value);
  if (types !== 0 && ((types & typeOf(value)) === 0 || !isFinite)) {
    return made === 'date' && types === JsonType.string ? DATE_MESSAGE : expected;
  }
  return madeFrom(value, made);
}

/** JavaScript would make something of every text: 0 of "", the year 2001 of "1". */
function madeFrom(value: unknown, made: Made | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (made === 'date' && !isIsoDate(value)) return DATE_MESSAGE;
  return made === 'number' && !DECIMAL.test(value) ? 'must be a number' : undefined;
}

function madeOf(shape: Shape | undefined): Made | undefined {
  if (isDateShape(shape)) return 'date';
  return isScalar(shape, 'number') ? 'number' : undefined;
}
