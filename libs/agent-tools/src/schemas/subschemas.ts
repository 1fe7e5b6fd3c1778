import type { JsonSchema } from './interfaces/json-schema.interface.js';

/** Keywords that hold schemas by name, in a list, and alone. Everything else holds values. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SINGLE = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);

/** Where a subschema stands in its parent. */
export interface SubschemaPlace {
  readonly keyword: string;
  /** The name in a map or the index in a list. */
  readonly key?: string | number;
}

type Visit<Result> = (schema: JsonSchema, place: SubschemaPlace) => Result;

/** A copy of a schema with each of its direct subschemas replaced. Booleans stay as they are. */
export function mapSubschemas(schema: JsonSchema, replace: Visit<unknown>): JsonSchema {
  const visit = (value: unknown, place: SubschemaPlace) =>
    isSchemaObject(value) ? replace(value, place) : value;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, visit)]),
  );
}

/** Visits the direct subschemas of a schema. */
export function forEachSubschema(schema: JsonSchema, visit: Visit<void>): void {
  mapSubschemas(schema, visit);
}

export function isSchemaObject(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The schema that a reference within the same document points to. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let place: unknown = root;
  for (const token of reference.split('/').slice(1)) {
    const key = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    if (place === null || typeof place !== 'object' || !Object.hasOwn(place, key)) return undefined;
    place = (place as Record<string, unknown>)[key];
  }
  return isSchemaObject(place) ? place : undefined;
}

/** The JSON pointer of a place below another one. */
export function pointerTo(parent: string, { keyword, key }: SubschemaPlace): string {
  const tokens = key === undefined ? [keyword] : [keyword, String(key)];
  return [parent, ...tokens.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1'))].join(
    '/',
  );
}

function mapKeyword(
  keyword: string,
  value: unknown,
  visit: (value: unknown, place: SubschemaPlace) => unknown,
): unknown {
  if (SINGLE.has(keyword) && !Array.isArray(value)) return visit(value, { keyword });
  if (Array.isArray(value) && (LISTS.has(keyword) || keyword === 'items')) {
    return value.map((item, key) => visit(item, { keyword, key }));
  }
  if (!MAPS.has(keyword) || !isSchemaObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, visit(item, { keyword, key })]),
  );
}
