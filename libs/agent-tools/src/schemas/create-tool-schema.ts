import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { ObjectJsonSchema } from './interfaces/json-schema.interface.js';
import type { ToolSchema } from './interfaces/tool-schema.interface.js';

const VENDOR = 'nestjs-agent-tools';

/** Puts a `ToolSchema` together from a JSON Schema and a function that validates. */
export function createToolSchema(
  source: string,
  jsonSchema: ObjectJsonSchema,
  validate: StandardSchemaV1.Props['validate'],
): ToolSchema {
  const converter: StandardJSONSchemaV1.Converter = {
    input: () => ({ ...jsonSchema }),
    output: () => ({ ...jsonSchema }),
  };
  return {
    '~standard': { version: 1, vendor: VENDOR, validate, jsonSchema: converter },
    jsonSchema,
    source,
  };
}
