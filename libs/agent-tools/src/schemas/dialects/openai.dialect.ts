import type { JsonSchema, ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { forEachSubschema, resolveReference } from '../subschemas.js';
import { convertRoot, convertSubset } from './conversion/convert-schema.js';
import {
  among,
  exceeds,
  hasLookaround,
  taken,
  type DialectRules,
} from './conversion/dialect-rules.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_CHARACTERS = 120_000;
const MAX_ENUM_VALUES = 1_000;
/** An `enum` with more values than this may have only so many characters. */
const LARGE_ENUM = 250;
const MAX_LARGE_ENUM_CHARACTERS = 15_000;

const STRICT: DialectRules = {
  isStrict: true,
  optional: 'nullable',
  references: 'recursive',
  enumTypes: new Set(['string', 'number', 'boolean', 'null']),
  keywords: {
    ...taken('title', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
    ...taken('minItems', 'maxItems'),
    format: among(
      'date-time',
      'time',
      'date',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uuid',
    ),
    pattern: (value) => !hasLookaround(value),
  },
  findExcess,
};

/**
 * For OpenAI's tools that are not strict, and for most servers that speak its protocol: all of JSON
 * Schema, but at the root only a plain object, into which a union there is dissolved.
 *
 * @publicApi
 */
export function toOpenAISchema(schema: ObjectJsonSchema): DialectSchema {
  return convertRoot(schema);
}

/**
 * For OpenAI's strict tools: closed objects, all of whose properties are required. One that may be
 * missing takes `null` instead, which must be dropped before the input is validated. A schema that
 * cannot be strict gets the form of `toOpenAISchema`.
 *
 * @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 * @publicApi
 */
export function toOpenAIStrictSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertSubset(schema, STRICT);
}

function findExcess(root: ObjectJsonSchema): string[] {
  const total = { properties: 0, characters: 0, values: 0, hasLargeEnum: false };
  const depths = new Map<JsonSchema, number>([[root, 0]]);

  /** How deeply objects and arrays are nested, references included; recursion counts once. */
  const measure = (schema: JsonSchema): number => {
    const { $ref, enum: values, type } = schema;
    if (values) {
      const characters = values.reduce<number>((sum, value) => sum + String(value).length, 0);
      total.values += values.length;
      total.characters += characters;
      total.hasLargeEnum ||= values.length > LARGE_ENUM && characters > MAX_LARGE_ENUM_CHARACTERS;
    }
    let deepest = $ref === undefined ? 0 : measureTarget($ref);
    forEachSubschema(schema, (child, { keyword, key }) => {
      if (keyword === 'properties') total.properties++;
      if (keyword === 'properties' || keyword === '$defs') total.characters += String(key).length;
      // A definition is measured where it is referred to.
      if (keyword !== '$defs') deepest = Math.max(deepest, measure(child));
    });
    return deepest + (type === 'object' || type === 'array' ? 1 : 0);
  };
  const measureTarget = (reference: string): number => {
    const target = resolveReference(root, reference);
    if (!target) return 0;
    const known = depths.get(target);
    if (known !== undefined) return known;
    depths.set(target, 0);
    const depth = measure(target);
    depths.set(target, depth);
    return depth;
  };

  const depth = measure(root);
  return [
    ...exceeds(total.properties, MAX_PROPERTIES, 'properties'),
    ...exceeds(depth, MAX_DEPTH, 'levels of nesting'),
    ...exceeds(total.characters, MAX_CHARACTERS, 'characters in names and enums'),
    ...exceeds(total.values, MAX_ENUM_VALUES, 'enum values'),
    ...(total.hasLargeEnum
      ? [
          `an enum of more than ${LARGE_ENUM} values with more than ${MAX_LARGE_ENUM_CHARACTERS} characters`,
        ]
      : []),
  ];
}
