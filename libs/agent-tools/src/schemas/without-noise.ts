import type { JsonSchema } from './interfaces/json-schema.interface.js';
import { mapSubschemas } from './subschemas.js';

/** Longer patterns under a format are those that the library generated for it. */
const HAND_WRITTEN_LENGTH = 100;

const MAY_BE_NOISE = ['minimum', 'maximum', 'pattern', 'propertyNames'];

const FORMATS = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'uuid',
  'ipv4',
  'ipv6',
  'uri',
]);

/**
 * Leaves out what libraries write on their own and what tells a model nothing: the range of safe
 * integers on every integer, that the names in a record are strings, and patterns of several hundred
 * characters that `format` says in a word.
 */
export function withoutNoise(schema: JsonSchema): JsonSchema {
  const mapped = mapSubschemas(schema, withoutNoise);
  if (!MAY_BE_NOISE.some((keyword) => keyword in mapped)) return mapped;
  const { minimum, maximum, pattern, propertyNames, ...rest } = mapped;
  return {
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(propertyNames === undefined || isAnyName(propertyNames) ? {} : { propertyNames }),
    ...(pattern === undefined || isGenerated(pattern, schema.format) ? {} : { pattern }),
  };
}

function isGenerated(pattern: unknown, format: unknown): boolean {
  return String(pattern).length > HAND_WRITTEN_LENGTH && FORMATS.has(String(format));
}

function isAnyName(names: unknown): boolean {
  return JSON.stringify(names) === '{"type":"string"}';
}
