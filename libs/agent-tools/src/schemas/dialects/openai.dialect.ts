import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { convertRoot, convertStrict } from './convert-schema.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';
import { findOpenAiExcess } from './openai.limits.js';
import { hasLookaround } from './pattern-features.js';

const KEYWORDS = new Set([
  'title',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);
const FORMATS = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

const STRICT: DialectRules = {
  isStrict: true,
  optional: 'nullable',
  references: 'kept',
  recursion: 'allowed',
  enumTypes: new Set(['string', 'number', 'boolean', 'null']),
  carries: (keyword, value) => {
    if (keyword === 'format') return FORMATS.has(String(value));
    if (keyword === 'pattern') return !hasLookaround(String(value));
    return KEYWORDS.has(keyword);
  },
};

/**
 * For OpenAI's tools that are not strict, and for most servers that speak its protocol: all of JSON
 * Schema, but at the root only a plain object, into which a union there is dissolved.
 *
 * @publicApi
 */
export function toOpenAiSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertRoot(schema);
}

/**
 * For OpenAI's strict tools: closed objects, all of whose properties are required. One that may be
 * missing takes `null` instead, which must be dropped before the input is validated. A schema that
 * cannot be strict gets the form of `toOpenAiSchema`.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * @publicApi
 */
export function toOpenAiStrictSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertStrict(schema, STRICT, toOpenAiSchema, findOpenAiExcess);
}
