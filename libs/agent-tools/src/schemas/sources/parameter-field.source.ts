import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ParameterField } from '../interfaces/parameter-field.interface.js';
import { SchemaException } from '../schema.exception.js';
import { describeBuiltIn, isBuiltIn } from './built-in-type.source.js';
import { fromDtoClass } from './dto-class.source.js';
import { isJsonSchema, jsonSchemaValidator } from './json-schema.source.js';
import { standardPropsOf, standardToJsonSchema } from './standard-schema.source.js';

export interface FieldSchema {
  readonly jsonSchema: JsonSchema;
  readonly validate: StandardSchemaV1.Props['validate'];
}

/** The schema of one `@ToolParam`: its own `schema`, its `enum`, or the parameter's type. */
export function createFieldSchema(field: ParameterField): FieldSchema {
  const schema = describeField(field);
  if (JSON.stringify(schema.jsonSchema).includes('"$ref":"#"')) {
    throw new SchemaException(
      `The type of parameter "${field.name}" refers to itself, which only a whole input can. ` +
        'Take the whole input with @ToolInput().',
    );
  }
  return schema;
}

function describeField(field: ParameterField): FieldSchema {
  if (field.schema !== undefined && field.enum) {
    throw new SchemaException(
      `Parameter "${field.name}" has both \`schema\` and \`enum\`. Put the values into the schema.`,
    );
  }
  if (field.schema !== undefined) return fromOwnSchema(field);
  if (field.enum) return fromEnum(field.enum);
  const jsonSchema = describeBuiltIn(field.designType);
  if (jsonSchema) return { jsonSchema, validate: builtInValidator(field.designType) };
  if (typeof field.designType === 'function' && !isBuiltIn(field.designType)) {
    return fromOwnSchema({ ...field, schema: field.designType as never });
  }
  throw new SchemaException(
    `The type of parameter "${field.name}" cannot be described: TypeScript's metadata says ` +
      `${nameOf(field.designType)}. Write @ToolParam('${field.name}', { schema: … }).`,
  );
}

function fromOwnSchema({ name, schema }: ParameterField): FieldSchema {
  const standard = standardPropsOf(schema);
  if (standard) return { jsonSchema: standardToJsonSchema(standard), validate: standard.validate };
  const dto = fromDtoClass(schema);
  if (dto) return { jsonSchema: dto.jsonSchema, validate: dto['~standard'].validate };
  if (isJsonSchema(schema)) return { jsonSchema: schema, validate: jsonSchemaValidator(schema) };
  throw new SchemaException(
    `The \`schema\` of parameter "${name}" is not a schema. Give a zod or arktype schema, a class ` +
      'with class-validator decorators, or a JSON Schema object.',
  );
}

function fromEnum(values: NonNullable<ParameterField['enum']>): FieldSchema {
  const types = [...new Set(values.map((value) => typeof value))];
  return {
    jsonSchema: { type: types.length === 1 ? types[0] : types, enum: values },
    validate: (value) =>
      values.includes(value as string)
        ? { value }
        : { issues: [{ message: `must be one of ${JSON.stringify(values)}` }] },
  };
}

function builtInValidator(type: unknown): FieldSchema['validate'] {
  if (type === Date) {
    return (value) => {
      const date = typeof value === 'string' ? new Date(value) : undefined;
      return date && !Number.isNaN(date.getTime())
        ? { value: date }
        : { issues: [{ message: 'must be a date as an ISO 8601 string' }] };
    };
  }
  const expected = type === String ? 'string' : type === Number ? 'number' : 'boolean';
  return (value) =>
    typeof value === expected ? { value } : { issues: [{ message: `must be a ${expected}` }] };
}

function nameOf(type: unknown): string {
  if (type === undefined) return 'nothing (is "emitDecoratorMetadata" on?)';
  return typeof type === 'function' ? type.name : JSON.stringify(type);
}
