import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { convertSubset } from './conversion/convert-schema.js';
import type { DialectRules } from './conversion/dialect-rules.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

const RULES: DialectRules = {
  isStrict: false,
  optional: 'omitted',
  references: 'inlined',
  enumTypes: new Set(['string', 'number', 'boolean', 'null', 'object', 'array']),
  keywords: {},
};

/**
 * For Ollama and llama.cpp, which pass over all but `type`, `properties`, `required`, `items`,
 * `enum`, `anyOf` and `description` in silence: references are replaced by what they lead to.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 * @publicApi
 */
export function toOllamaSchema(schema: ObjectJsonSchema): DialectSchema {
  return convertSubset(schema, RULES);
}
