import type { JsonSchema } from 'nestjs-agent-tools';
import { isEqual, toNumber, toSchema, toSchemas, type AnySchema } from './plain-schema.js';

/** The schemas of the first items, and that of all others. Older drafts have both at `items`. */
export function tupleOf(schema: JsonSchema): {
  readonly first: readonly AnySchema[];
  readonly rest: AnySchema;
} {
  const { prefixItems, items, additionalItems } = schema;
  if (Array.isArray(items)) {
    return { first: toSchemas(items), rest: toSchema(additionalItems) ?? true };
  }
  return { first: toSchemas(prefixItems), rest: toSchema(items) ?? true };
}

export function arrayFits(
  schema: JsonSchema,
  value: readonly unknown[],
  matches: (schema: AnySchema, value: unknown) => boolean,
): boolean {
  const { minItems, maxItems, uniqueItems, contains, minContains, maxContains } = schema;
  if (value.length < (toNumber(minItems) ?? 0)) return false;
  if (value.length > (toNumber(maxItems) ?? Infinity)) return false;
  const { first, rest } = tupleOf(schema);
  if (!value.every((item, index) => matches(first[index] ?? rest, item))) return false;
  if (uniqueItems === true && hasTwins(value)) return false;
  const wanted = toSchema(contains);
  if (wanted === undefined) return true;
  const count = value.filter((item) => matches(wanted, item)).length;
  return count >= (toNumber(minContains) ?? 1) && count <= (toNumber(maxContains) ?? Infinity);
}

function hasTwins(items: readonly unknown[]): boolean {
  return items.some((item, index) => items.slice(0, index).some((other) => isEqual(item, other)));
}
