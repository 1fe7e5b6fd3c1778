import type { JsonSchema } from '../../interfaces/json-schema.interface.js';

/** Which keywords say something about which type only; others are left out there. */
const TYPE_OF = new Map<string, string>(
  Object.entries({
    string: ['minLength', 'maxLength', 'pattern'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    array: ['minItems', 'maxItems', 'uniqueItems', 'contains'],
  }).flatMap(([type, keywords]) => keywords.map((keyword) => [keyword, type] as const)),
);

/** A schema of one value with the keywords that apply to its type, and a type that `enum` implies. */
export function valueSchema(shape: JsonSchema, keywords: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...shape, ...keywords };
  const type = impliedType(merged) ?? merged.type;
  const result: Record<string, unknown> = type === undefined ? {} : { type };
  for (const key in merged) {
    if (key === 'type') continue;
    const only = TYPE_OF.get(key);
    if (only !== undefined && !includesType(type, only)) continue;
    // No value fulfils rules that exclude each other; an empty list is no schema at all.
    if (key === 'enum' && merged.enum?.length === 0) continue;
    result[key] = merged[key];
  }
  return result;
}

function includesType(types: JsonSchema['type'], wanted: string): boolean {
  if (types === wanted) return true;
  if (wanted === 'number' && includesType(types, 'integer')) return true;
  return Array.isArray(types) && types.includes(wanted);
}

/** Whether a schema says what kind of value there is. */
export function isTyped(schema: JsonSchema): boolean {
  return ['type', '$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => key in schema);
}

/** The same, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type !== 'string' || 'const' in schema) {
    return { anyOf: [schema, { type: 'null' }] };
  }
  if (type === 'null') return schema;
  return {
    ...schema,
    type: [type, 'null'],
    ...(schema.enum && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {}),
  };
}

/** The rules that only words can say go behind the description. */
export function withNotes(schema: JsonSchema, notes: readonly string[]): JsonSchema {
  if (notes.length === 0) return schema;
  const words = notes.join('; ');
  const { description } = schema;
  return { ...schema, description: description ? `${description} (${words})` : words };
}

function impliedType(schema: JsonSchema): string | string[] | undefined {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (!values || values.length === 0) return undefined;
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  return types.length === 1 ? types[0] : types;
}
