import type { JsonSchema } from 'nestjs-agent-tools';
import {
  toEntries,
  toNames,
  toNumber,
  toRegExp,
  toSchema,
  type AnySchema,
} from './plain-schema.js';

/** The schemas that hold for a property of an object. */
export function schemasOfProperty(schema: JsonSchema, name: string): AnySchema[] {
  const own = toEntries(schema.properties).filter(([key]) => key === name);
  const matching = toEntries(schema.patternProperties).filter(([pattern]) =>
    toRegExp(pattern)?.test(name),
  );
  const found = [...own, ...matching].map(([, part]) => part);
  return found.length > 0 ? found : [toSchema(schema.additionalProperties) ?? true];
}

export function objectFits(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  matches: (schema: AnySchema, value: unknown) => boolean,
): boolean {
  const { required, minProperties, maxProperties, dependentRequired } = schema;
  const names = Object.keys(value);
  if (names.length < (toNumber(minProperties) ?? 0)) return false;
  if (names.length > (toNumber(maxProperties) ?? Infinity)) return false;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  if (!toNames(required).every(has)) return false;
  const nameSchema = toSchema(schema.propertyNames) ?? true;
  if (!names.every((name) => matches(nameSchema, name))) return false;
  const fits = (name: string): boolean =>
    schemasOfProperty(schema, name).every((part) => matches(part, value[name]));
  if (!names.every(fits)) return false;
  const needed = Object.entries(dependentRequired ?? {}).filter(([name]) => has(name));
  if (!needed.every(([, others]) => toNames(others).every(has))) return false;
  const dependent = toEntries(schema.dependentSchemas).filter(([name]) => has(name));
  return dependent.every(([, part]) => matches(part, value));
}
