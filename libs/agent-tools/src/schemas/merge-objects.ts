import type { JsonSchema } from './interfaces/json-schema.interface.js';
import { isSchemaObject } from './subschemas.js';

const PLAIN_KEYWORDS = new Set(['type', 'properties', 'required', 'title', 'description']);

/**
 * An intersection of plain objects as one object: several providers refuse `allOf` at the root.
 * Anything else is returned as it is.
 */
export function mergeObjects(schema: JsonSchema): JsonSchema {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf) || rest.additionalProperties !== undefined) return schema;
  const parts = [rest, ...(allOf as unknown[])];
  if (!allOf.every(isPlainObject)) return schema;
  const properties: Record<string, JsonSchema> = {};
  const required = new Set<string>();
  for (const part of parts as JsonSchema[]) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      // The same property twice would have to be intersected in turn.
      if (name in properties) return schema;
      properties[name] = property;
    }
    for (const name of part.required ?? []) required.add(name);
  }
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.size > 0 ? { required: [...required] } : {}),
  };
}

function isPlainObject(schema: unknown): boolean {
  return (
    isSchemaObject(schema) &&
    schema.type === 'object' &&
    Object.keys(schema).every((keyword) => PLAIN_KEYWORDS.has(keyword))
  );
}
