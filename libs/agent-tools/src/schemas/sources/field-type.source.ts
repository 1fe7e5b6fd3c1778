import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { isIsoDate } from '../../utils/is-iso-date.js';
import { SchemaException } from '../schema.exception.js';
import { createValueSchema } from '../tool-schema.factory.js';
import { describeBuiltIn, isBuiltIn } from './built-in-type.source.js';
import { isClass } from './dto-class.source.js';
import { whenSettled } from './when-settled.js';

type Result = StandardSchemaV1.Result<unknown>;

/** The schema of one field of the input. */
export interface FieldSchema {
  readonly jsonSchema: JsonSchema;
  readonly validate: StandardSchemaV1.Props['validate'];
}

const BY_NAME: Readonly<Record<string, unknown>> = {
  string: String,
  number: Number,
  boolean: Boolean,
};

/**
 * The schema of a type as `@nestjs/swagger` writes it: a constructor, the name of a JSON type, a list
 * of one for an array, or an arrow function that gives one of these later.
 *
 * @throws SchemaException
 */
export function fromFieldType(type: unknown, parameter: string): FieldSchema {
  if (Array.isArray(type)) {
    if (type.length === 1) return arrayOf(fromFieldType(type[0], parameter));
    throw unknownType(parameter, 'a list, but not of exactly one type');
  }
  if (type === 'integer') {
    return {
      jsonSchema: { type },
      validate: (value) => (Number.isInteger(value) ? { value } : issue('must be an integer')),
    };
  }
  const constructor = typeof type === 'string' ? BY_NAME[type] : type;
  const jsonSchema = describeBuiltIn(constructor);
  if (jsonSchema) return { jsonSchema, validate: builtInValidator(constructor) };
  if (isClass(constructor) && !isBuiltIn(constructor)) return fromClass(constructor);
  if (typeof type === 'function' && !type.prototype) {
    return fromFieldType((type as () => unknown)(), parameter);
  }
  throw unknownType(parameter, nameOf(type));
}

/** The items are validated one by one, so that DTOs arrive as instances. */
export function arrayOf({ jsonSchema, validate }: FieldSchema): FieldSchema {
  const { $defs, ...items } = jsonSchema;
  return {
    jsonSchema: { type: 'array', items, ...($defs ? { $defs } : {}) },
    validate: (value) => {
      if (!Array.isArray(value)) return issue('must be an array');
      return whenSettled(
        value.map((item) => validate(item)),
        collect,
      );
    },
  };
}

export function fromClass(source: unknown): FieldSchema {
  const schema = createValueSchema(source);
  return { jsonSchema: schema.jsonSchema, validate: schema['~standard'].validate };
}

function collect(results: readonly Result[]): Result {
  const issues = results.flatMap((result, index) =>
    (result.issues ?? []).map((one) => ({ ...one, path: [index, ...(one.path ?? [])] })),
  );
  if (issues.length > 0) return { issues };
  return {
    value: results.map((result) => (result as StandardSchemaV1.SuccessResult<unknown>).value),
  };
}

function builtInValidator(type: unknown): FieldSchema['validate'] {
  if (type === Date) {
    return (value) => {
      return typeof value === 'string' && isIsoDate(value)
        ? { value: new Date(value) }
        : issue('must be an ISO 8601 date, or date and time with its offset');
    };
  }
  const expected = type === String ? 'string' : type === Number ? 'number' : 'boolean';
  return (value) => (typeof value === expected ? { value } : issue(`must be a ${expected}`));
}

function issue(message: string): StandardSchemaV1.FailureResult {
  return { issues: [{ message }] };
}

function unknownType(parameter: string, found: string): SchemaException {
  return new SchemaException(
    `The \`type\` of parameter "${parameter}" is ${found}. Give String, Number, Boolean, Date or ` +
      "'integer', a class, a list of one of them, or an arrow function that returns one, or write " +
      `@ToolParam('${parameter}', { schema: … }).`,
  );
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(JSON.stringify(type));
}
