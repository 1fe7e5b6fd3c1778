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
    if (typeof value !== 'boolean' || !replaceBoolean) return value;
    return replaceBoolean(value, place.keyword);
  };
  return mapValues(schema, (value, keyword) => {
    const holder = HOLDERS.get(keyword);
    if (holder === undefined) return value;
    if (Array.isArray(value)) {
      // In older drafts, `items` may be a list.
      const isList = holder === 'list' || keyword === 'items';
      return isList ? mapItems(value, (item, key) => visit(item, { keyword, key })) : value;
    }
    if (holder === 'one') return visit(value, { keyword });
    if (holder === 'list' || !isSchemaObject(value)) return value;
    return mapValues(value, (item, key) => visit(item, { keyword, key }));
  });
}

/** Visits the direct subschemas of a schema, but for `true` and `false`. */
export function forEachSubschema(schema: JsonSchema, visit: Visit<void>): void {
  mapSubschemas(schema, (child, place) => {
    visit(child, place);
    return child;
  });
}

export function isSchemaObject(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
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
  replace: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  let changes: [string, unknown][] | undefined;
  for (const key of Object.keys(source)) {
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
  return parent + toPointer(key === undefined ? [keyword] : [keyword, String(key)]);
}

export function toPointer(tokens: readonly string[]): string {
  return tokens
    .map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
