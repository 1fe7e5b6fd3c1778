import type { JsonSchema, ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { eachSubschema } from './subschemas.js';
import { SchemaDepth } from './schema.depth.js';

const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_CHARACTERS = 120_000;
const MAX_ENUM_VALUES = 1_000;
/** An `enum` with more values than this may have only so many characters. */
const LARGE_ENUM = 250;
const MAX_LARGE_ENUM_CHARACTERS = 15_000;

/** The limits of OpenAI's strict schemas that a schema exceeds. */
export function findOpenAiExcess(root: ObjectJsonSchema): string[] {
  const total = { properties: 0, characters: 0, values: 0, hasLargeEnum: false };
  count(root, total);
  const depth = new SchemaDepth(root).measure();
  return [
    exceeds(total.properties, MAX_PROPERTIES, 'properties'),
    exceeds(depth, MAX_DEPTH, 'levels of nesting'),
    exceeds(total.characters, MAX_CHARACTERS, 'characters in names and enums'),
    exceeds(total.values, MAX_ENUM_VALUES, 'enum values'),
    ...(total.hasLargeEnum
      ? [
          `an enum of more than ${LARGE_ENUM} values with more than ${MAX_LARGE_ENUM_CHARACTERS} characters`,
        ]
      : []),
  ].filter((excess) => excess !== '');
}

function exceeds(value: number, limit: number, of: string): string {
  return value > limit ? `${value} ${of}, at most ${limit} are allowed` : '';
}

function count(
  schema: JsonSchema,
  total: { properties: number; characters: number; values: number; hasLargeEnum: boolean },
): void {
  const { enum: values } = schema;
  if (values) {
    const characters = values.reduce<number>((sum, value) => sum + String(value).length, 0);
    total.values += values.length;
    total.characters += characters;
    total.hasLargeEnum ||= values.length > LARGE_ENUM && characters > MAX_LARGE_ENUM_CHARACTERS;
  }
  eachSubschema(schema, (child, keyword, name) => {
    if (keyword === 'properties') total.properties++;
    if (keyword === 'properties' || keyword === '$defs') total.characters += name?.length ?? 0;
    if (typeof child === 'object') count(child, total);
  });
}
