import { jsonTypeOf } from '../../canonical-keywords.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { valuesOf } from './enum-groups.js';
import { typesOf } from './keywords.js';
import { intersectTypes } from './merge-schemas.js';

/** Whether no value can satisfy two of the schemas, so that `oneOf` says no more than `anyOf`. */
export function areDisjoint(schemas: readonly JsonSchema[]): boolean {
  return schemas.every((schema, index) =>
    schemas.slice(index + 1).every((other) => isDisjoint(schema, other)),
  );
}

function isDisjoint(a: JsonSchema, b: JsonSchema): boolean {
  const [typesOfA, typesOfB] = [impliedTypes(a), impliedTypes(b)];
  if (typesOfA.length > 0 && typesOfB.length > 0) {
    if (intersectTypes(typesOfA, typesOfB).length === 0) return true;
  }
  if (hasValues(a) && hasValues(b)) {
    const values = new Set(valuesOf(a).map((value) => JSON.stringify(value)));
    if (!valuesOf(b).some((value) => values.has(JSON.stringify(value)))) return true;
  }
  return areObjects(a, b) && hasDisjointProperty(a, b);
}

/** A property that both must have tells them apart, as in a discriminated union. */
function hasDisjointProperty(a: JsonSchema, b: JsonSchema): boolean {
  return (a.required ?? []).some((name) => {
    if (!b.required?.includes(name)) return false;
    const [inA, inB] = [propertyOf(a, name), propertyOf(b, name)];
    return inA !== undefined && inB !== undefined && isDisjoint(inA, inB);
  });
}

function propertyOf({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function areObjects(a: JsonSchema, b: JsonSchema): boolean {
  return a.type === 'object' && b.type === 'object';
}

function impliedTypes(schema: JsonSchema): readonly string[] {
  const types = typesOf(schema);
  return types.length === 0 && hasValues(schema) ? valuesOf(schema).map(jsonTypeOf) : types;
}

function hasValues(schema: JsonSchema): boolean {
  return 'enum' in schema || 'const' in schema;
}
