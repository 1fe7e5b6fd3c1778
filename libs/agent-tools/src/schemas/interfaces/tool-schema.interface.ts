import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema, ObjectJsonSchema } from './json-schema.interface.js';

/**
 * One schema, whatever it was made from: it describes a tool's input to a model and validates what
 * the model sends. It is itself a Standard Schema and a Standard JSON Schema, so it can be handed
 * to everything that takes those.
 *
 * @publicApi
 */
export interface ToolSchema<
  Input = unknown,
  Output = Input,
  Json extends JsonSchema = ObjectJsonSchema,
> {
  /**
   * `validate` may be synchronous or asynchronous and resolves to the library's own output: a DTO
   * instance, or the value after zod's transforms.
   */
  readonly '~standard': StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;

  /**
   * JSON Schema 2020-12: the input side, and for the schema of an output the output side. The root
   * of an input is always an object with `properties`; an output may be anything.
   */
  readonly jsonSchema: Json;

  /**
   * What it was made from: `zod`, `arktype`, `valibot`, `typebox`, `json-schema`, `class-validator`,
   * `swagger`, `parameters` …
   */
  readonly source: string;
}

/**
 * The schema of what a tool returns: the root may be of any type.
 *
 * @publicApi
 */
export type ToolOutputSchema = ToolSchema<unknown, unknown, JsonSchema>;

/** What goes into a schema, before defaults and transforms, or what comes out of it. */
export type SchemaSide = 'input' | 'output';
