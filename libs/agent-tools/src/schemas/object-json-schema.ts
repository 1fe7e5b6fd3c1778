import type { JsonSchema, ObjectJsonSchema } from './interfaces/json-schema.interface.js';
import { SchemaException } from './schema.exception.js';

/**
 * Brings a schema into the one form that every provider accepts: an object at the root, always
 * with `properties`. Many servers refuse `{}` and `{ type: 'object' }`, some for the whole request.
 */
export function toObjectJsonSchema(schema: JsonSchema): ObjectJsonSchema {
  const { $schema: _dialect, ...rest } = schema;
  const isEmpty = Object.keys(rest).length === 0;
  if (!isObject(rest) && !isEmpty) {
    throw new SchemaException(
      `The input of a tool must be an object, but the schema describes ${describeRoot(rest)}. ` +
        'Wrap it in an object with one named property.',
    );
  }
  return { ...rest, type: 'object', properties: rest.properties ?? {} };
}

/** Arguments are never null, so a root that may also be null is an object. */
function isObject({ type, properties }: JsonSchema): boolean {
  if (type === undefined) return properties !== undefined;
  return [type].flat().every((name) => name === 'object' || name === 'null') && type !== 'null';
}

function describeRoot(schema: JsonSchema): string {
  if (schema.type !== undefined) return `"${String(schema.type)}"`;
  const composed = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum'].find((key) => key in schema);
  return composed ? `"${composed}" at its root` : 'something else';
}
