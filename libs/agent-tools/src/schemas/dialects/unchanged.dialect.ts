import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

/**
 * The dialect of a server that takes any JSON Schema, and keeps to none.
 *
 * @publicApi
 */
export function unchangedDialect(schema: ObjectJsonSchema): DialectSchema {
  return { schema, strict: false, losses: [], refusals: [] };
}
