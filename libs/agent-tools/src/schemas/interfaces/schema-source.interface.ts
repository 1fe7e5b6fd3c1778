import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Type } from '@nestjs/common';
import type { JsonSchema } from './json-schema.interface.js';

/**
 * What a schema can be made from: anything with the Standard Schema and Standard JSON Schema
 * interfaces (zod ≥ 4.2, arktype …), a class with class-validator decorators, or a raw JSON
 * Schema.
 *
 * @publicApi
 */
export type SchemaSource = StandardSchemaV1 | Type | JsonSchema;

/**
 * The type of a validated value: what the schema yields, the instance of a class, or `unknown` for
 * a raw JSON Schema, which TypeScript cannot read.
 *
 * @publicApi
 */
export type InferSchemaOutput<Source> = Source extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Source>
  : Source extends Type<infer Instance>
    ? Instance
    : unknown;
