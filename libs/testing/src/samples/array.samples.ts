import type { JsonSchema } from 'nestjs-agent-tools';
import { tupleOf } from './array.matcher.js';
import { isEqual, toNumber, toSchema, type AnySchema } from './plain-schema.js';
import { otherValues, placeIn, type InnerSamples, type Place } from './sample.place.js';

/** Lists that likely fit: one item if that may be, or as many as there must be. */
export function* arraySamples(
  schema: JsonSchema,
  place: Place,
  inner: InnerSamples,
): Generator<unknown[]> {
  for (const size of sizesOf(schema)) {
    const parts = partsOf(schema, size);
    const items = fill(parts, schema.uniqueItems === true, place, inner);
    if (!items) continue;
    yield items;
    for (const [index, part] of parts.entries()) {
      for (const value of otherValues(inner, part, placeIn(place, index))) {
        yield items.with(index, value);
      }
    }
  }
}

function sizesOf(schema: JsonSchema): Set<number> {
  const { minItems, maxItems, minContains } = schema;
  const min = Math.max(toNumber(minItems) ?? 0, toNumber(minContains) ?? 0);
  const max = toNumber(maxItems) ?? Infinity;
  const preferred = Math.max(min, tupleOf(schema).first.length, 1);
  return new Set([preferred, min, 0, min + 1, min + 2].map((size) => Math.min(size, max)));
}

/** The schemas of the items. Those that the list must contain come after those with a place of their own. */
function partsOf(schema: JsonSchema, size: number): AnySchema[] {
  const { first, rest } = tupleOf(schema);
  const contains = toSchema(schema.contains);
  const wanted = contains === undefined ? 0 : (toNumber(schema.minContains) ?? 1);
  const from = Math.max(0, Math.min(first.length, size - wanted));
  return Array.from({ length: size }, (_, index) => {
    const part = first[index] ?? rest;
    const isWanted = contains !== undefined && index >= from && index < from + wanted;
    return isWanted ? { allOf: [contains, part] } : part;
  });
}

function fill(
  parts: readonly AnySchema[],
  isUnique: boolean,
  place: Place,
  inner: InnerSamples,
): unknown[] | undefined {
  const items: unknown[] = [];
  for (const [index, part] of parts.entries()) {
    const at = placeIn(place, index);
    const value = isUnique ? firstNew(inner.values(part, at), items) : inner.first(part, at);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

function firstNew(values: Iterable<unknown>, items: readonly unknown[]): unknown {
  for (const value of values) if (!items.some((item) => isEqual(item, value))) return value;
  return undefined;
}
