import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { ObjectJsonSchema } from './json-schema.interface.js';

/**
 * One schema, whatever it was made from: it describes a tool's input to a model and validates what
 * the model sends. It is itself a Standard Schema and a Standard JSON Schema, so it can be handed
 * to everything that takes those.
 *
 * @publicApi
 */
export interface ToolSchema<Input = unknown, Output = Input> {
  /**
   * `validate` may be synchronous or asynchronous and resolves to the library's own output: a DTO
   * instance, or the value after zod's transforms.
   */
  readonly '~standard': StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;

  /** The input side as JSON Schema 2020-12. Its root is always an object with `properties`. */
  readonly jsonSchema: ObjectJsonSchema;

  /** What the schema was made from: `zod`, `arktype`, `json-schema`, `class-validator`, `parameters` … */
  readonly source: string;
}
