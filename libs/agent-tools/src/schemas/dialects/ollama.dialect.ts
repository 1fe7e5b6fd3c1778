import type { ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { convertSubset } from './convert-schema.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import type { DialectSchema } from './interfaces/schema-dialect.interface.js';

const RULES: DialectRules = {
  isStrict: false,
  optional: 'omitted',
  references: 'inlined',
  recursion: 'allowed',
  enumTypes: new Set(['string', 'number', 'boolean', 'null', 'object', 'array']),
  carries: () => false,
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
