import type { JsonSchema } from '../../interfaces/json-schema.interface.js';

/** The types of values that a keyword speaks about; it says nothing about others. */
const TYPES_OF_KEYWORD: Readonly<Record<string, readonly string[]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  contentEncoding: ['string'],
  contentMediaType: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  items: ['array'],
  prefixItems: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  contains: ['array'],
  minContains: ['array'],
  maxContains: ['array'],
  unevaluatedItems: ['array'],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
  patternProperties: ['object'],
  propertyNames: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
  unevaluatedProperties: ['object'],
};

const ANY_TYPE = new Set([
  'type',
  'enum',
  'const',
  'format',
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]);

/** Whether a keyword decides which values are valid. */
export function isConstraint(keyword: string): boolean {
  return ANY_TYPE.has(keyword) || Object.hasOwn(TYPES_OF_KEYWORD, keyword);
}

export function hasConstraints(schema: JsonSchema): boolean {
  return Object.keys(schema).some(isConstraint);
}

/** Whether a keyword says something about a value of one of these types; of any, if there are none. */
export function concerns(keyword: string, types: readonly string[]): boolean {
  if (types.length === 0 || !Object.hasOwn(TYPES_OF_KEYWORD, keyword)) return true;
  return TYPES_OF_KEYWORD[keyword].some((type) => types.includes(type));
}

/** The declared types of a schema, empty if it has none. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

/** Whether a schema is the canonical form of `false`: nothing is valid. */
export function isNever({ not }: JsonSchema): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0;
}

/** The values without those that are written the same as another one; of these, the last is kept. */
export function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Whether two JSON values are written the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
