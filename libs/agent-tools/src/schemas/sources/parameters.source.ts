import type { StandardSchemaV1 } from '@standard-schema/spec';
import { createToolSchema } from '../create-tool-schema.js';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ParameterField } from '../interfaces/parameter-field.interface.js';
import type { ToolSchema } from '../interfaces/tool-schema.interface.js';
import { SchemaException } from '../schema.exception.js';
import { createFieldSchema, type FieldSchema } from './parameter-field.source.js';

/** Puts the fields of several `@ToolParam`s together to one object. */
export function fromParameters(fields: readonly ParameterField[]): ToolSchema {
  const schemas = new Map(fields.map((field) => [field, createFieldSchema(field)]));
  const properties: Record<string, JsonSchema> = {};
  const definitions: Record<string, JsonSchema> = {};
  for (const [{ name, description }, { jsonSchema }] of schemas) {
    const { $defs, $schema: _dialect, ...schema } = jsonSchema;
    hoist($defs, definitions, name);
    properties[name] = description ? { ...schema, description } : schema;
  }
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return createToolSchema(
    'parameters',
    {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
      ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
    },
    (value) => validateFields(schemas, value),
  );
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

async function validateFields(
  schemas: ReadonlyMap<ParameterField, FieldSchema>,
  value: unknown,
): Promise<StandardSchemaV1.Result<unknown>> {
  if (value === null || typeof value !== 'object')
    return { issues: [{ message: 'must be an object' }] };
  const input = value as Record<string, unknown>;
  const output: Record<string, unknown> = {};
  const issues: StandardSchemaV1.Issue[] = [];
  for (const [{ name, required }, { validate }] of schemas) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    if (given === undefined && !required) continue;
    if (given === undefined) {
      issues.push({ path: [name], message: 'is required' });
      continue;
    }
    const result = await validate(given);
    if (!result.issues) output[name] = result.value;
    else {
      issues.push(
        ...result.issues.map((issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] })),
      );
    }
  }
  return issues.length > 0 ? { issues } : { value: output };
}
