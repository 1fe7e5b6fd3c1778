import type { JsonSchema } from 'nestjs-agent-tools';
import {
  toEntries,
  toNames,
  toNumber,
  toSchema,
  toSchemas,
  type AnySchema,
} from './plain-schema.js';

const LOWER_BOUNDS = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
]);
const UPPER_BOUNDS = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
]);
/** If both have one, that of the second has its turn later. */
const CHOICES = ['anyOf', 'oneOf', '$ref'] as const;

/**
 * One schema from two, for making values that likely fit both. What cannot be put together is left to
 * the test of the values.
 */
export function mergeSchemas(a: JsonSchema, b: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...b, ...a };
  for (const [keyword, value] of Object.entries(b)) {
    if (keyword in a) merged[keyword] = mergeKeyword(keyword, a[keyword], value);
  }
  const clash = CHOICES.filter((keyword) => keyword in a && keyword in b);
  const later = clash.length > 0 ? [Object.fromEntries(clash.map((key) => [key, b[key]]))] : [];
  const allOf = [...toSchemas(a.allOf), ...toSchemas(b.allOf), ...later];
  if (allOf.length > 0) merged.allOf = allOf;
  return merged;
}

function mergeKeyword(keyword: string, a: unknown, b: unknown): unknown {
  if (LOWER_BOUNDS.has(keyword))
    return Math.max(toNumber(a) ?? -Infinity, toNumber(b) ?? -Infinity);
  if (UPPER_BOUNDS.has(keyword)) return Math.min(toNumber(a) ?? Infinity, toNumber(b) ?? Infinity);
  switch (keyword) {
    case 'type':
      return mergeTypes(a, b);
    case 'required':
      return [...new Set([...toNames(a), ...toNames(b)])];
    case 'properties':
    case 'patternProperties':
      return mergeEntries(a, b);
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
    case 'contains':
      return both(toSchema(a), toSchema(b)) ?? a;
    case 'prefixItems':
      return mergeItems(toSchemas(a), toSchemas(b));
    case 'examples':
      return [a, b].flat();
    case 'uniqueItems':
      return a === true || b === true;
    default:
      return a;
  }
}

function mergeTypes(a: unknown, b: unknown): unknown {
  const others = new Set([b].flat());
  if (others.has('number')) others.add('integer');
  const common = [a].flat().filter((type) => others.has(type));
  const isInteger = [a].flat().includes('number') && others.has('integer');
  return isInteger && !common.includes('integer') ? [...common, 'integer'] : common;
}

function mergeEntries(a: unknown, b: unknown): Record<string, AnySchema> {
  const entries = new Map(toEntries(a));
  for (const [name, schema] of toEntries(b)) {
    entries.set(name, both(entries.get(name), schema) ?? schema);
  }
  return Object.fromEntries(entries);
}

function mergeItems(a: readonly AnySchema[], b: readonly AnySchema[]): AnySchema[] {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  return longer.map((schema, index) => both(schema, shorter[index]) ?? schema);
}

function both(a: AnySchema | undefined, b: AnySchema | undefined): AnySchema | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a === true || b === false) return b;
  return b === true || a === false ? a : { allOf: [a, b] };
}
