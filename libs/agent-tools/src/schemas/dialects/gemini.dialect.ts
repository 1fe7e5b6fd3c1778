import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { convertSubset } from './conversion/convert-schema.js';
import { taken, type DialectRules, type RelaxedKeyword } from './conversion/dialect-rules.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

const RULES: DialectRules = {
  isStrict: false,
  optional: 'omitted',
  references: 'optionally-recursive',
  enumTypes: new Set(['string', 'number']),
  keywords: {
    ...taken('title', 'prefixItems', 'minItems', 'maxItems', 'minimum', 'maximum'),
    ...taken('additionalProperties', 'propertyOrdering'),
    // Most formats of strings are refused, and which ones depends on the endpoint.
    format: (_value, types) => types.length > 0 && !types.includes('string'),
    exclusiveMinimum: (value, types) => inclusive('minimum', Number(value), 1, types),
    exclusiveMaximum: (value, types) => inclusive('maximum', Number(value), -1, types),
  },
};

/**
 * For Gemini's `parametersJsonSchema`, which takes a part of JSON Schema. Recursion is kept only
 * within properties that may be missing.
 *
 * @see https://ai.google.dev/api/caching#FunctionDeclaration
 * @publicApi
 */
export function toGeminiSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertSubset(schema, RULES);
}

/** The next integer beside an excluded limit says the same; of other numbers there is no next one. */
function inclusive(
  keyword: string,
  limit: number,
  step: number,
  types: readonly string[],
): RelaxedKeyword {
  const isExact = types.length === 1 && types[0] === 'integer' && Number.isSafeInteger(limit);
  return { keywords: { [keyword]: isExact ? limit + step : limit }, isExact };
}
