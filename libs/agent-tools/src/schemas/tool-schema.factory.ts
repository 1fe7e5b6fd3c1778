import { createToolSchema } from './create-tool-schema.js';
import type { JsonSchema } from './interfaces/json-schema.interface.js';
import type {
  SchemaSide,
  ToolOutputSchema,
  ToolSchema,
} from './interfaces/tool-schema.interface.js';
import { toObjectJsonSchema } from './object-json-schema.js';
import { SchemaException } from './schema.exception.js';
import { fromDtoClass } from './sources/dto-class.source.js';
import { fromJsonSchema } from './sources/json-schema.source.js';
import { fromStandardSchema, standardPropsOf } from './sources/standard-schema.source.js';
import { fromZodDto } from './sources/zod-dto.source.js';

type ValueSchema = ToolSchema<unknown, unknown, JsonSchema>;

/** A source that several tools share is described and compiled once. */
const values = new WeakMap<object, ValueSchema>();
const inputs = new WeakMap<ValueSchema, ToolSchema>();

const SOURCES: readonly ((source: unknown, side: SchemaSide) => ValueSchema | undefined)[] = [
  fromStandardSchema,
  fromZodDto,
  fromJsonSchema,
  fromDtoClass,
];

/**
 * The schema of a tool's input, by the first kind of source that recognises it.
 *
 * @throws SchemaException if no kind does, if the source holds what JSON cannot describe, or if its
 * root is not an object.
 */
export function createSchema(source: unknown): ToolSchema {
  const value = createValueSchema(source);
  const known = inputs.get(value);
  if (known) return known;
  const { validate, jsonSchema } = value['~standard'];
  const schema = createToolSchema(
    value.source,
    toObjectJsonSchema(value.jsonSchema),
    validate,
    () => jsonSchema.output({ target: 'draft-2020-12' }),
  );
  inputs.set(value, schema);
  return schema;
}

/**
 * The schema of one value that a model gives, of any type.
 *
 * @throws SchemaException
 */
export function createValueSchema(source: unknown): ValueSchema {
  const isKey = source !== null && (typeof source === 'object' || typeof source === 'function');
  const known = isKey ? values.get(source) : undefined;
  if (known) return known;
  const schema = recognise(source, 'input');
  if (isKey) values.set(source, schema);
  return schema;
}

/**
 * The schema of what a tool returns. Its root may be of any type.
 *
 * @throws SchemaException
 */
export function createOutputSchema(source: unknown): ToolOutputSchema {
  return recognise(source, 'output');
}

function recognise(source: unknown, side: SchemaSide): ValueSchema {
  for (const from of SOURCES) {
    const schema = from(source, side);
    if (schema) return schema;
  }
  if (holdsSchemas(source)) {
    throw new SchemaException(
      'This is an object whose fields are schemas, and no schema itself. Wrap it in z.object(), or in ' +
        'what your library has for it.',
    );
  }
  throw new SchemaException(
    `${nameOf(source)} is not a schema. Give a zod, arktype or valibot schema, a class with ` +
      'class-validator or @ApiProperty() decorators or made by createZodDto(), a TypeBox schema, or a ' +
      'JSON Schema object.',
  );
}

function holdsSchemas(source: unknown): boolean {
  if (source === null || typeof source !== 'object') return false;
  const fields = Object.values(source);
  return fields.length > 0 && fields.every((field) => standardPropsOf(field) !== undefined);
}

function nameOf(source: unknown): string {
  return typeof source === 'function' ? `"${source.name}"` : JSON.stringify(source);
}
