import type { ObjectJsonSchema } from '../../schemas/interfaces/json-schema.interface.js';
import type { ResponseFormat } from '../interfaces/chat-settings.interface.js';

type JsonFormat = Extract<ResponseFormat, { type: 'json' }>;

/** A run asks with the same format in each step, and dialects know a schema that they have converted. */
const described = new WeakMap<JsonFormat, ObjectJsonSchema>();

/**
 * The schema of a format with the format's description in it, for providers that have no other place for
 * one.
 *
 * @publicApi
 */
export function describedSchema(format: JsonFormat): ObjectJsonSchema | undefined {
  const { schema, description } = format;
  if (!schema || !description) return schema;
  const known = described.get(format);
  if (known) return known;
  const own = schema.description === undefined ? '' : `\n${schema.description}`;
  const made = { ...schema, description: description + own };
  described.set(format, made);
  return made;
}
