import type { ToolSchema } from './interfaces/tool-schema.interface.js';
import { SchemaException } from './schema.exception.js';
import { fromDtoClass } from './sources/dto-class.source.js';
import { fromJsonSchema } from './sources/json-schema.source.js';
import { fromStandardSchema } from './sources/standard-schema.source.js';

/** A source that several tools share is described and compiled once. */
const schemas = new WeakMap<object, ToolSchema>();

const SOURCES = [fromStandardSchema, fromDtoClass, fromJsonSchema];

/**
 * The schema of a source, by the first kind that recognises it.
 *
 * @throws SchemaException if no kind does, or if the source holds what JSON cannot describe.
 */
export function createSchema(source: unknown): ToolSchema {
  const isKey = source !== null && (typeof source === 'object' || typeof source === 'function');
  const known = isKey ? schemas.get(source) : undefined;
  if (known) return known;
  for (const from of SOURCES) {
    const schema = from(source);
    if (!schema) continue;
    if (isKey) schemas.set(source, schema);
    return schema;
  }
  throw new SchemaException(
    `${nameOf(source)} is not a schema. Give a zod or arktype schema, a class with class-validator ` +
      'decorators, or a JSON Schema object.',
  );
}

function nameOf(source: unknown): string {
  return typeof source === 'function' ? `"${source.name}"` : JSON.stringify(source);
}
