import type { JsonSchema } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import { schemasOfProperty } from './object.matcher.js';
import { patternSamples } from './pattern.samples.js';
import { toEntries, toNames, toNumber, toSchema, type AnySchema } from './plain-schema.js';
import { otherValues, placeIn, type InnerSamples, type Place } from './sample.place.js';

const MANY_NAMES = 100;

/** Objects that likely fit, with the properties that must be there first. */
export function* objectSamples(
  schema: JsonSchema,
  place: Place,
  inner: InnerSamples,
  optional: boolean,
): Generator<Record<string, unknown>> {
  const required = requiredOf(schema);
  for (const names of choicesOf(schema, required, place, inner, optional)) {
    const parts = [...names].map((name) => ({ name, part: partOf(schema, name) }));
    const object = new Map<string, unknown>();
    for (const { name, part } of parts) {
      const value = inner.first(part, placeIn(place, name));
      if (value !== undefined) object.set(name, value);
    }
    if ([...required].some((name) => !object.has(name))) continue;
    yield Object.fromEntries(object);
    for (const { name, part } of parts) {
      for (const value of otherValues(inner, part, placeIn(place, name))) {
        yield Object.fromEntries([...object, [name, value]]);
      }
    }
  }
}

/** Which properties to fill in, the best choice first. */
function* choicesOf(
  schema: JsonSchema,
  required: ReadonlySet<string>,
  place: Place,
  inner: InnerSamples,
  optional: boolean,
): Generator<ReadonlySet<string>> {
  const known = toEntries(schema.properties).map(([name]) => name);
  const all = new Set([...required, ...known]);
  const min = toNumber(schema.minProperties) ?? 0;
  const isMap =
    known.length === 0 && (isRecord(schema.additionalProperties) || hasPatterns(schema));
  const chosen = optional ? all : required;
  // Names that the schema does not list, as a record has them.
  const enough = new Set(
    chosen.size < min ? [...required, ...known].slice(0, Math.max(min, required.size)) : chosen,
  );
  const missing = Math.max(min - enough.size, isMap && required.size === 0 ? 1 : 0);
  if (missing > 0) yield new Set([...enough, ...newNames(schema, all, missing, place, inner)]);
  yield enough;
  yield required;
  for (const name of known) yield new Set([...required, name]);
  yield all;
}

function hasPatterns(schema: JsonSchema): boolean {
  return toEntries(schema.patternProperties).length > 0;
}

function requiredOf({ required, dependentRequired }: JsonSchema): Set<string> {
  const result = new Set(toNames(required));
  const dependent = new Map(Object.entries(dependentRequired ?? {}));
  // Names that are added while a set is read are read as well.
  for (const name of result) for (const other of toNames(dependent.get(name))) result.add(other);
  return result;
}

function partOf(schema: JsonSchema, name: string): AnySchema {
  const parts = schemasOfProperty(schema, name);
  return parts.length === 1 ? parts[0] : { allOf: parts };
}

function newNames(
  schema: JsonSchema,
  known: ReadonlySet<string>,
  count: number,
  place: Place,
  inner: InnerSamples,
): Set<string> {
  const result = new Set<string>();
  for (const name of nameSamples(schema, place, inner)) {
    if (typeof name === 'string' && !known.has(name)) result.add(name);
    if (result.size === count) break;
  }
  return result;
}

function* nameSamples(schema: JsonSchema, place: Place, inner: InnerSamples): Generator<unknown> {
  const names = toSchema(schema.propertyNames);
  if (names !== undefined) yield* inner.values({ allOf: [{ type: 'string' }, names] }, place);
  for (const [pattern] of toEntries(schema.patternProperties)) yield* patternSamples(pattern, 1);
  for (let index = 1; index <= MANY_NAMES; index++) yield index > 1 ? `key${index}` : 'key';
}
