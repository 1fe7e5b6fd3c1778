import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Type } from '@nestjs/common';
import type { JsonSchema } from './json-schema.interface.js';
import type { InferTypeBox, TypeBoxSchema } from './typebox.interface.js';

/**
 * What a schema can be made from: anything with the Standard Schema and Standard JSON Schema
 * interfaces (zod ≥ 4.2, arktype …), a valibot schema, a class with class-validator or
 * `@ApiProperty()` decorators or made by `createZodDto()`, a TypeBox schema, or a raw JSON Schema.
 *
 * @publicApi
 */
export type SchemaSource = StandardSchemaV1 | Type | TypeBoxSchema | JsonSchema;

/**
 * The type of a validated value: what the schema yields, the instance of a class, what a TypeBox
 * schema stands for, or `unknown` for a raw JSON Schema, which TypeScript cannot read.
 *
 * @publicApi
 */
export type InferSchemaOutput<Source> = Source extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Source>
  : InferOther<Source>;

/**
 * The type of a value that the schema accepts, before defaults and transforms.
 *
 * @publicApi
 */
export type InferSchemaInput<Source> = Source extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Source>
  : InferOther<Source>;

type InferOther<Source> =
  Source extends Type<infer Instance>
    ? Instance
    : Source extends TypeBoxSchema
      ? InferTypeBox<Source>
      : unknown;

/**
 * The type of a field as `@nestjs/swagger` writes it: a constructor, the name of a JSON type, a list
 * of one for an array, or an arrow function that gives one of these later.
 *
 * @publicApi
 */
export type FieldType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | Type
  | typeof String
  | typeof Number
  | typeof Boolean
  | readonly [FieldType]
  | (() => FieldType);

/**
 * The values of a field: a list, or a TypeScript enum.
 *
 * @publicApi
 */
export type EnumSource =
  readonly (string | number | boolean)[] | Readonly<Record<string, string | number>>;
