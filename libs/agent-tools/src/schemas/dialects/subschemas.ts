import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { holderOf } from './keywords.js';

type Subschema = JsonSchema | boolean;

/**
 * A schema whose direct subschemas are replaced; the same object if none changed. Only places that
 * hold a schema are looked at: a property may be called like a keyword, and an `enum` may hold
 * objects that look like schemas.
 */
export function mapSubschemas(
  schema: JsonSchema,
  replace: (child: Subschema, keyword: string) => Subschema,
): JsonSchema {
  let changes: [string, unknown][] | undefined;
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const holder = holderOf(keyword, value);
    if (holder === undefined) continue;
    let replaced: unknown;
    if (holder === 'one') replaced = replace(value as Subschema, keyword);
    else if (holder === 'list') replaced = mapList(value as Subschema[], keyword, replace);
    else replaced = mapNamed(value as Record<string, Subschema>, keyword, replace);
    if (replaced !== value) (changes ??= []).push([keyword, replaced]);
  }
  return changes ? withEntries(schema, changes) : schema;
}

/** Calls a function with every direct subschema, and with its name or index. */
export function eachSubschema(
  schema: JsonSchema,
  visit: (child: Subschema, keyword: string, name: string) => void,
): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const holder = holderOf(keyword, value);
    if (holder === undefined) continue;
    if (holder === 'one') {
      visit(value as Subschema, keyword, '');
      continue;
    }
    const children = value as Record<string, Subschema>;
    for (const name of Object.keys(children)) visit(children[name], keyword, name);
  }
}

function mapList(
  list: readonly Subschema[],
  keyword: string,
  replace: (child: Subschema, keyword: string) => Subschema,
): unknown {
  const items = list.map((child) => replace(child, keyword));
  return items.every((item, index) => item === list[index]) ? list : items;
}

function mapNamed(
  children: Readonly<Record<string, Subschema>>,
  keyword: string,
  replace: (child: Subschema, keyword: string) => Subschema,
): unknown {
  let changes: [string, unknown][] | undefined;
  for (const name of Object.keys(children)) {
    const replaced = replace(children[name], keyword);
    if (replaced !== children[name]) (changes ??= []).push([name, replaced]);
  }
  return changes ? withEntries(children, changes) : children;
}

/** `fromEntries`, as an assignment to `__proto__` would be lost. */
function withEntries(
  source: Readonly<Record<string, unknown>>,
  changes: readonly [string, unknown][],
): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(source), ...changes]);
}
