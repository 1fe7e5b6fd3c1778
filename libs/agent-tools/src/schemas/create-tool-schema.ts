import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from './interfaces/json-schema.interface.js';
import type { ToolSchema } from './interfaces/tool-schema.interface.js';

const VENDOR = 'nestjs-agent-tools';

/**
 * Puts a `ToolSchema` together from a JSON Schema and a function that validates.
 *
 * @param describeOutput gives the output side, where that is another one
 */
export function createToolSchema<Json extends JsonSchema>(
  source: string,
  jsonSchema: Json,
  validate: StandardSchemaV1.Props['validate'],
  describeOutput: () => JsonSchema = () => jsonSchema,
): ToolSchema<unknown, unknown, Json> {
  const converter: StandardJSONSchemaV1.Converter = {
    input: () => ({ ...jsonSchema }),
    output: () => ({ ...describeOutput() }),
  };
  return {
    '~standard': { version: 1, vendor: VENDOR, validate, jsonSchema: converter },
    jsonSchema,
    source,
  };
}
