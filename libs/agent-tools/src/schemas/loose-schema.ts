import type { JsonSchema, ObjectJsonSchema } from './interfaces/json-schema.interface.js';
import { toObjectJsonSchema } from './object-json-schema.js';
import { accepts } from './shape/accepts.js';
import { compileShape } from './shape/shape.compiler.js';
import { isRecord } from '../utils/is-record.js';

/** Names of types that people and other languages use, and JSON Schema's for them; undefined for any. */
const TYPES: ReadonlyMap<string, string | undefined> = new Map([
  ...alias('object', 'dict', 'dictionary', 'map', 'hashmap', 'record', 'struct'),
  ...alias('number', 'float', 'double', 'decimal', 'num', 'real'),
  ...alias('integer', 'int', 'long', 'short', 'byte', 'int32', 'int64'),
  ...alias('array', 'tuple', 'list', 'set', 'arraylist', 'sequence'),
  ...alias('string', 'str', 'text', 'char'),
  ...alias('boolean', 'bool'),
  ...alias('null', 'none', 'nonetype', 'void'),
  ...alias(undefined, 'any', 'unknown', 'mixed'),
]);

type Loose = Readonly<Record<string, unknown>>;

/**
 * Makes a JSON Schema of a function description as model catalogues and other languages write it, for
 * tools that are registered at run time:
 *
 * - names of types: `dict`, `float`, `tuple`, `list`, `int`, `str`, `bool`, `None` … in any case;
 *   `any` becomes no type
 * - `optional: true` and `required: true` on a property move to the list of its object; a list of
 *   names under `optional` is dropped
 * - `properties` or `items` without a type get one; an object is always one at the root
 * - a `default` that the schema itself does not take goes to the description
 *
 * A name with dots or spaces needs no care: tools are told to models under a name that they accept.
 *
 * @throws SchemaException if the root is not an object
 * @publicApi
 */
export function fromLooseSchema(schema: Loose): ObjectJsonSchema {
  return toObjectJsonSchema(convert(schema));
}

function convert(schema: Loose): JsonSchema {
  const { type: _type, properties, items, required, optional: _optional, ...rest } = schema;
  const converted: Record<string, unknown> = { ...typeOf(schema), ...rest };
  if (isRecord(properties)) {
    const fields = Object.entries(properties).filter(isField);
    converted.properties = Object.fromEntries(
      fields.map(([name, property]) => [name, convert(withoutOwnRequired(property))]),
    );
    const names = namesOf(required, fields);
    if (names.length > 0) converted.required = names;
  }
  if (isRecord(items)) converted.items = convert(items);
  if (isRecord(rest.additionalProperties)) {
    converted.additionalProperties = convert(rest.additionalProperties);
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const parts = rest[keyword];
    if (Array.isArray(parts)) converted[keyword] = parts.filter(isRecord).map(convert);
  }
  return withPossibleDefault(converted);
}

function typeOf({ type, properties, items }: Loose): JsonSchema {
  if (typeof type === 'string') return named(type);
  if (Array.isArray(type)) return { type: type.flatMap((one) => named(String(one)).type ?? []) };
  if (isRecord(properties)) return { type: 'object' };
  return isRecord(items) ? { type: 'array' } : {};
}

function named(type: string): { readonly type?: string } {
  const name = type.toLowerCase();
  const known = TYPES.has(name) ? TYPES.get(name) : name;
  return known === undefined ? {} : { type: known };
}

function namesOf(required: unknown, fields: readonly (readonly [string, Loose])[]): string[] {
  const listed: readonly unknown[] = Array.isArray(required) ? required : [];
  return fields
    .filter(([name, { required: own, optional }]) =>
      optional === true ? false : own === true || listed.includes(name),
    )
    .map(([name]) => name);
}

/** On a property without properties of its own, `required` is about the property itself. */
function withoutOwnRequired(property: Loose): Loose {
  if (typeof property.required !== 'boolean') return property;
  const { required: _required, ...rest } = property;
  return rest;
}

/** A default is filled in as if the model had sent it, so it must be valid. */
function withPossibleDefault(schema: JsonSchema): JsonSchema {
  if (!('default' in schema)) return schema;
  const { default: value, ...rest } = schema;
  if (value !== null && accepts(compileShape(rest), value)) return schema;
  if (value === null || value === '') return rest;
  const note = `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}.`;
  return { ...rest, description: rest.description ? `${rest.description} ${note}` : note };
}

function isField(entry: [string, unknown]): entry is [string, Loose] {
  return isRecord(entry[1]);
}

function alias(type: string | undefined, ...names: string[]): [string, string | undefined][] {
  return names.map((name) => [name, type]);
}
