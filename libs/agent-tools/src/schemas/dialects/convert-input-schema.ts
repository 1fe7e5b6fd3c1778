import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import type { DialectSchema, ToolSchemaDialects } from './interfaces/schema-dialect.interface.js';

/**
 * The input schema of a tool as a server takes it: so that it can be kept exactly, if the tool wants that
 * and the server has a form for it.
 *
 * @publicApi
 */
export function convertInputSchema(
  { inputSchema, strict }: { readonly inputSchema: ObjectJsonSchema; readonly strict?: boolean },
  dialects: ToolSchemaDialects,
): DialectSchema {
  const convert = (strict && dialects.strict) || dialects.plain;
  return convert(inputSchema);
}
