import type { JsonSchema, ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { forEachSubschema } from '../subschemas.js';
import { convertRoot, convertSubset } from './conversion/convert-schema.js';
import {
  among,
  exceeds,
  hasLookaround,
  taken,
  type DialectRules,
} from './conversion/dialect-rules.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

/** Of a whole request, so of a single tool as well. */
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

const STRICT: DialectRules = {
  isStrict: true,
  optional: 'omitted',
  references: 'acyclic',
  enumTypes: new Set(['string', 'number', 'boolean', 'null']),
  keywords: {
    ...taken('title'),
    format: among(
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
    ),
    pattern: (value) => !hasLookaround(value) && !hasReferenceOrBorder(String(value)),
    minItems: (value) =>
      value === 0 || value === 1 || { keywords: { minItems: 1 }, isExact: false },
  },
  findExcess,
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
  return convertSubset(schema, STRICT);
}

/** Whether a regular expression refers to a group, or to the border of a word. */
function hasReferenceOrBorder(pattern: string): boolean {
  return /\\(?:[1-9]|k<|[bB])/.test(pattern.replaceAll('\\\\', ''));
}

function findExcess(root: ObjectJsonSchema): string[] {
  const total = { optional: 0, unions: 0 };
  const count = (schema: JsonSchema): void => {
    if (schema.anyOf || Array.isArray(schema.type)) total.unions++;
    forEachSubschema(schema, (child, { keyword, key }) => {
      if (keyword === 'properties' && !schema.required?.includes(String(key))) total.optional++;
      count(child);
    });
  };
  count(root);
  return [
    ...exceeds(total.optional, MAX_OPTIONAL, 'properties that may be missing'),
    ...exceeds(total.unions, MAX_UNIONS, 'properties with several types'),
  ];
}
