import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { createToolSchema } from '../create-tool-schema.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ParameterField } from '../interfaces/parameter-field.interface.js';
import type { ToolSchema } from '../interfaces/tool-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { createFieldSchema } from './parameter-field.source.js';
import type { FieldSchema } from './field-type.source.js';
import { whenSettled } from './when-settled.js';

type Result = StandardSchemaV1.Result<unknown>;

/** A field as it is validated at each call. */
interface BoundField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly validate: FieldSchema['validate'];
  /** Gives the value of a field that the model left out. */
  readonly makeDefault?: () => Result | Promise<Result>;
}

/** Puts the fields of several `@ToolParam`s together to one object. */
export function fromParameters(fields: readonly ParameterField[]): ToolSchema {
  const schemas = new Map(fields.map((field) => [field, createFieldSchema(field)]));
  const properties: Record<string, JsonSchema> = {};
  const definitions: Record<string, JsonSchema> = {};
  for (const [{ name, description }, { jsonSchema }] of schemas) {
    const { $defs, ...schema } = jsonSchema;
    hoist($defs, definitions, name);
    properties[name] = description ? { ...schema, description } : schema;
  }
  const bound = [...schemas].map(([field, schema]) => bindField(field, schema));
  const required = bound.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return createToolSchema(
    'parameters',
    {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
      ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
    },
    (value) => validateFields(bound, value),
  );
}

function bindField({ name, required }: ParameterField, schema: FieldSchema): BoundField {
  const { jsonSchema, validate } = schema;
  if (!('default' in jsonSchema) || required === true) {
    return { name, isRequired: required ?? true, validate };
  }
  return { name, isRequired: false, validate, makeDefault: defaultMaker(schema) };
}

/** A schema library fills its default in for `undefined`; of a raw schema it is only a keyword. */
function defaultMaker({ jsonSchema, validate }: FieldSchema): BoundField['makeDefault'] {
  const preset = () => validate(structuredClone(jsonSchema.default));
  const settle = (result: Result) =>
    result.issues || result.value === undefined ? preset() : result;
  return () => {
    const result = validate(undefined);
    return isThenable(result)
      ? toPromise(result).then((one) => settle(one as Result))
      : settle(result);
  };
}

/** `$ref`s start at the root, so the definitions of a field must move there. */
function hoist(from: JsonSchema['$defs'], to: Record<string, JsonSchema>, parameter: string): void {
  for (const [name, schema] of Object.entries(from ?? {})) {
    if (to[name] && JSON.stringify(to[name]) !== JSON.stringify(schema)) {
      throw new SchemaException(
        `Parameter "${parameter}" and another one define "${name}" differently. ` +
          'Rename one of the two, or take the whole input with @ToolInput().',
      );
    }
    to[name] = schema;
  }
}

function validateFields(fields: readonly BoundField[], value: unknown): Result | Promise<Result> {
  if (value === null || typeof value !== 'object') {
    return { issues: [{ message: 'must be an object' }] };
  }
  const results = fields.map((field) => validateField(field, value as Record<string, unknown>));
  return whenSettled(results, (settled) => collect(fields, settled));
}

/** Undefined for a field that is left out. */
function validateField(
  { name, isRequired, validate, makeDefault }: BoundField,
  input: Record<string, unknown>,
): Result | undefined | Promise<Result> {
  const given = Object.hasOwn(input, name) ? input[name] : undefined;
  if (given !== undefined) return validate(given);
  if (makeDefault) return makeDefault();
  return isRequired ? { issues: [{ message: 'is required' }] } : undefined;
}

function collect(fields: readonly BoundField[], results: readonly (Result | undefined)[]): Result {
  const output: Record<string, unknown> = {};
  const issues: StandardSchemaV1.Issue[] = [];
  for (const [index, { name }] of fields.entries()) {
    const result = results[index];
    if (!result) continue;
    if (!result.issues) output[name] = result.value;
    else {
      const path = [name];
      issues.push(
        ...result.issues.map((issue) => ({ ...issue, path: [...path, ...(issue.path ?? [])] })),
      );
    }
  }
  return issues.length > 0 ? { issues } : { value: output };
}
