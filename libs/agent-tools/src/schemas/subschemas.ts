import type { JsonSchema } from './interfaces/json-schema.interface.js';

/** How a keyword holds schemas: one, a list, or by name. Every other keyword holds values. */
const HOLDERS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...[
    'items',
    'additionalItems',
    'additionalProperties',
    'unevaluatedItems',
    'unevaluatedProperties',
    'contains',
    'contentSchema',
    'propertyNames',
    'not',
    'if',
    'then',
    'else',
  ].map((keyword) => [keyword, 'one'] as const),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword) => [keyword, 'list'] as const),
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (keyword) => [keyword, 'map'] as const,
  ),
]);

/** Where a subschema stands in its parent. */
export interface SubschemaPlace {
  readonly keyword: string;
  /** The name in a map or the index in a list. */
  readonly key?: string | number;
}

type Visit<Result> = (schema: JsonSchema, place: SubschemaPlace) => Result;

/**
 * A schema with each of its direct subschemas replaced; the same object if none changed. Only places
 * that hold a schema are looked at: a property may be called like a keyword, and an `enum` may hold
 * objects that look like schemas.
 *
 * @param replaceBoolean without it, the schemas `true` and `false` stay as they are
 */
export function mapSubschemas(
  schema: JsonSchema,
  replace: Visit<unknown>,
  replaceBoolean?: (value: boolean, keyword: string) => unknown,
): JsonSchema {
  const visit = (value: unknown, place: SubschemaPlace) => {
    if (isSchemaObject(value)) return replace(value, place);
    return typeof value === 'boolean' && replaceBoolean
      ? replaceBoolean(value, place.keyword)
      : value;
  };
  const keywords = Object.keys(schema).filter((keyword) => HOLDERS.has(keyword));
  if (keywords.length === 0) return withoutSymbols(schema);
  const mapped = mapValues(schema, keywords, (value, keyword) => {
    switch (holderOf(keyword, value)) {
      case 'one':
        return visit(value, { keyword });
      case 'list':
        return mapItems(value as unknown[], (item, key) => visit(item, { keyword, key }));
      case 'map':
        return mapValues(value as JsonSchema, Object.keys(value as JsonSchema), (item, key) =>
          visit(item, { keyword, key }),
        );
      case undefined:
        return value;
    }
  });
  return withoutSymbols(mapped);
}

/** Visits the direct subschemas of a schema, but for `true` and `false`. */
export function forEachSubschema(schema: JsonSchema, visit: Visit<void>): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const holder = holderOf(keyword, value);
    if (holder === undefined) continue;
    if (holder === 'one') {
      if (isSchemaObject(value)) visit(value, { keyword });
      continue;
    }
    const children = Array.isArray(value) ? value.entries() : Object.entries(value as JsonSchema);
    for (const [key, child] of children) {
      if (isSchemaObject(child)) visit(child, { keyword, key });
    }
  }
}

export function isSchemaObject(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** How the value of a keyword holds schemas, if it does. In older drafts, `items` may be a list. */
function holderOf(keyword: string, value: unknown): 'one' | 'list' | 'map' | undefined {
  const holder = HOLDERS.get(keyword);
  if (holder === undefined) return undefined;
  if (Array.isArray(value)) return holder === 'list' || keyword === 'items' ? 'list' : undefined;
  if (typeof value === 'boolean') return holder === 'one' ? 'one' : undefined;
  return isSchemaObject(value) && holder !== 'list' ? holder : undefined;
}

/** TypeBox marks its schemas with symbols, which are no keywords. */
function withoutSymbols(schema: JsonSchema): JsonSchema {
  return Object.getOwnPropertySymbols(schema).length === 0
    ? schema
    : Object.fromEntries(Object.entries(schema));
}

function mapItems(
  list: readonly unknown[],
  replace: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const items = list.map(replace);
  return items.every((item, index) => item === list[index]) ? list : items;
}

function mapValues(
  source: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  replace: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  let changes: [string, unknown][] | undefined;
  for (const key of keys) {
    const replaced = replace(source[key], key);
    if (replaced !== source[key]) (changes ??= []).push([key, replaced]);
  }
  // `fromEntries`, as an assignment to `__proto__` would be lost.
  return changes ? Object.fromEntries([...Object.entries(source), ...changes]) : source;
}

/** The schema that a reference within the same document points to. */
export function resolveReference(root: JsonSchema, reference: string): JsonSchema | undefined {
  const tokens = parseReference(reference);
  const target = tokens && valueAt(root, tokens);
  return isSchemaObject(target) ? target : undefined;
}

/** The names in a `$ref` that is a JSON Pointer into the same document. */
export function parseReference(reference: string): string[] | undefined {
  if (reference === '#' || reference === '') return [];
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((token) => decode(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place in a document. */
export function valueAt(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, token)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/** The JSON Pointer of a place below another one. */
export function pointerTo(parent: string, { keyword, key }: SubschemaPlace): string {
  const place = `${parent}/${escape(keyword)}`;
  return key === undefined ? place : `${place}/${escape(String(key))}`;
}

export function toPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escape(token)}`).join('');
}

function escape(token: string): string {
  if (!token.includes('~') && !token.includes('/')) return token;
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
