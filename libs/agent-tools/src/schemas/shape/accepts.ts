import { isDeepStrictEqual } from 'node:util';
import { typeOf, type SchemaShape } from './schema-shape.js';

/** Whether a value has the shape of a schema: types, values, required and known properties. */
export function accepts(shape: SchemaShape, value: unknown): boolean {
  const type = typeOf(value);
  if ((shape.types & type) === 0) return false;
  if (shape.values && !shape.values.some((one) => isDeepStrictEqual(one, value))) return false;
  if (shape.all && !shape.all.every((one) => accepts(one, value))) return false;
  if (shape.branches && !shape.branches.some((branch) => accepts(branch, value))) return false;
  if (Array.isArray(value))
    return value.every((item) => !shape.items || accepts(shape.items, item));
  if (value !== null && typeof value === 'object') {
    return acceptsObject(shape, value as Record<string, unknown>);
  }
  return value !== '' || !shape.refusesEmptyText;
}

function acceptsObject(shape: SchemaShape, value: Record<string, unknown>): boolean {
  const { properties, additional, required } = shape;
  if (!properties) return true;
  for (const name of required ?? []) if (!Object.hasOwn(value, name)) return false;
  return Object.keys(value).every((key) => {
    const property = properties.get(key) ?? additional;
    return property !== undefined && accepts(property, value[key]);
  });
}
