import type { JsonSchema } from '../interfaces/json-schema.interface.js';

type Constraints = readonly unknown[];

/** Each class-validator rule that JSON Schema can say, by the name the library stores it under. */
const KEYWORDS: Readonly<Record<string, (constraints: Constraints) => JsonSchema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isNumber: () => ({ type: 'number' }),
  isInt: () => ({ type: 'integer' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isEnum: ([, values]) => ({ enum: values as unknown[] }),
  isIn: ([values]) => ({ enum: values as unknown[] }),
  equals: ([value]) => ({ const: value }),
  min: ([value]) => ({ minimum: value }),
  max: ([value]) => ({ maximum: value }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNegative: () => ({ exclusiveMaximum: 0 }),
  isDivisibleBy: ([value]) => ({ multipleOf: value }),
  minLength: ([value]) => ({ minLength: value }),
  maxLength: ([value]) => ({ maxLength: value }),
  isLength: ([min, max]) => ({ minLength: min, ...(max === undefined ? {} : { maxLength: max }) }),
  matches: ([pattern]) => ({ pattern: pattern instanceof RegExp ? pattern.source : pattern }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isDateString: () => ({ type: 'string', format: 'date-time' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isNumberString: () => ({ type: 'string' }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: ([value]) => ({ minItems: value }),
  arrayMaxSize: ([value]) => ({ maxItems: value }),
  arrayUnique: () => ({ uniqueItems: true }),
};

/** Rules on the array itself, which stay on it when a property is an array. */
export const ARRAY_RULES: ReadonlySet<string> = new Set([
  'isArray',
  'arrayMinSize',
  'arrayMaxSize',
  'arrayUnique',
]);

export function keywordsOf(rule: string, constraints: Constraints): JsonSchema {
  return KEYWORDS[rule]?.(constraints) ?? {};
}

/** The type that an `enum` or `const` implies, so that a schema never goes out without one. */
export function withImpliedType(schema: JsonSchema): JsonSchema {
  const { type: declared, ...rest } = schema;
  if (rest.enum) {
    const types = [...new Set(rest.enum.map(jsonTypeOf))];
    return { type: types.length === 1 ? types[0] : types, ...rest };
  }
  if ('const' in rest) return { type: jsonTypeOf(rest.const), ...rest };
  return schema.type === undefined ? rest : { type: declared, ...rest };
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
