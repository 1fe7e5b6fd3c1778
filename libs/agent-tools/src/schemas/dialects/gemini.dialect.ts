import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { convertSubset } from './convert-schema.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

const KEYWORDS = new Set([
  'title',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'additionalProperties',
  'propertyOrdering',
]);

const RULES: DialectRules = {
  isStrict: false,
  optional: 'omitted',
  references: 'kept',
  recursion: 'optional',
  enumTypes: new Set(['string', 'number']),
  carries: (keyword, _value, types) => {
    // Most formats of strings are refused, and which ones depends on the endpoint.
    if (keyword === 'format') return types.length > 0 && !types.includes('string');
    return KEYWORDS.has(keyword);
  },
  relax: (keyword, value, types) => {
    const isLower = keyword === 'exclusiveMinimum';
    if (!isLower && keyword !== 'exclusiveMaximum') return undefined;
    const isExact = types.length === 1 && types[0] === 'integer' && Number.isSafeInteger(value);
    const limit = (value as number) + (isExact ? (isLower ? 1 : -1) : 0);
    return { keywords: { [isLower ? 'minimum' : 'maximum']: limit }, isExact };
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
