import type { JsonSchema, ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { eachSubschema } from './subschemas.js';

/** Of a whole request, so of a single tool as well. */
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

/** The limits of Anthropic's strict tools that a schema exceeds on its own. */
export function findAnthropicExcess(root: ObjectJsonSchema): string[] {
  const total = { optional: 0, unions: 0 };
  count(root, total);
  const { optional, unions } = total;
  return [
    ...(optional > MAX_OPTIONAL
      ? [`${optional} properties that may be missing, at most ${MAX_OPTIONAL} are allowed`]
      : []),
    ...(unions > MAX_UNIONS
      ? [`${unions} properties with several types, at most ${MAX_UNIONS} are allowed`]
      : []),
  ];
}

function count(schema: JsonSchema, total: { optional: number; unions: number }): void {
  if (schema.anyOf || Array.isArray(schema.type)) total.unions++;
  eachSubschema(schema, (child, keyword, name) => {
    if (keyword === 'properties' && !schema.required?.includes(name ?? '')) total.optional++;
    if (typeof child === 'object') count(child, total);
  });
}
