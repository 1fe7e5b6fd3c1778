import type { ObjectJsonSchema } from '../../interfaces/json-schema.interface.js';

/**
 * A tool's input schema as one provider takes it.
 *
 * @publicApi
 */
export interface DialectSchema {
  readonly schema: ObjectJsonSchema;
  /** Whether the provider can be asked to make the model follow the schema exactly. */
  readonly strict: boolean;
  /**
   * What the provider does not take, as JSON Pointers to the keywords of the original schema. As far
   * as there are words for it, the descriptions tell it to the model.
   */
  readonly losses: readonly string[];
  /** Why the schema cannot be strict, if that was asked for. Empty if it is. */
  readonly refusals: readonly string[];
}

/**
 * Brings the input schema of a tool (JSON Schema 2020-12) into the subset that one provider takes.
 * Pure: the schema that is given stays as it is. Input must still be validated against that one.
 *
 * @publicApi
 */
export type SchemaDialect = (schema: ObjectJsonSchema) => DialectSchema;

/**
 * The dialects of one provider, without and with strict tools.
 *
 * @publicApi
 */
export interface ToolSchemaDialects {
  readonly plain: SchemaDialect;
  /**
   * For tools with `strict: true`. It falls back to the plain dialect where a schema cannot be
   * strict. Left out, the provider has no strict tools.
   */
  readonly strict?: SchemaDialect;
}
