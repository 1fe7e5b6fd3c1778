import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { findAnthropicExcess } from './anthropic.limits.js';
import { convertRoot, convertStrict } from './convert-schema.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';
import { hasLookaround, hasReferenceOrBorder } from './pattern-features.js';

const FORMATS = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

const STRICT: DialectRules = {
  isStrict: true,
  optional: 'omitted',
  references: 'kept',
  recursion: 'refused',
  enumTypes: new Set(['string', 'number', 'boolean', 'null']),
  carries: (keyword, value) => {
    if (keyword === 'format') return FORMATS.has(String(value));
    if (keyword === 'pattern') {
      return !hasLookaround(String(value)) && !hasReferenceOrBorder(String(value));
    }
    if (keyword === 'minItems') return value === 0 || value === 1;
    return keyword === 'title';
  },
  relax: (keyword) =>
    keyword === 'minItems' ? { keywords: { minItems: 1 }, isExact: false } : undefined,
};

/**
 * For Anthropic's tools that are not strict: all of JSON Schema 2020-12, but at the root only a
 * plain object, into which a union there is dissolved.
 *
 * @publicApi
 */
export function toAnthropicSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertRoot(schema);
}

/**
 * For Anthropic's strict tools: closed objects without recursion, and few constraints. A schema that
 * cannot be strict gets the form of `toAnthropicSchema`.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 * @publicApi
 */
export function toAnthropicStrictSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertStrict(schema, STRICT, toAnthropicSchema, findAnthropicExcess);
}
