import type { JsonSchema, ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { escapePointer, parseReference, valueAt } from './json-pointer.js';
import { mapSubschemas } from './subschemas.js';

/** A schema in the form that the converters start from. */
export interface CanonicalSchema {
  /** Without `$defs`; those that are referred to are in `definitions`. */
  readonly root: JsonSchema;
  readonly definitions: ReadonlyMap<string, JsonSchema>;
  /** Where each definition stands in the original, as JSON Pointers. */
  readonly paths: ReadonlyMap<string, string>;
}

/** Keywords whose booleans say more than the same as a schema would. */
const BOOLEAN = new Set([
  'items',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'additionalItems',
]);

/**
 * Every `$ref` leads to `#` or to a definition at the root, `true` and `false` are schemas, and a
 * list of `items`, as in older drafts, is `prefixItems`.
 */
export function toCanonical(schema: ObjectJsonSchema): CanonicalSchema {
  const { $defs: _defs, definitions: _older, $schema: _dialect, ...root } = schema;
  const definitions = new Map<string, JsonSchema>();
  const paths = new Map<string, string>();
  const names = new Map<string, string>();

  const nameFor = (ref: string): string | undefined => {
    const segments = parseReference(ref);
    if (!segments || segments.length === 0) return undefined;
    const path = segments.map((segment) => `/${escapePointer(segment)}`).join('');
    const known = names.get(path);
    if (known !== undefined) return known;
    const target = valueAt(schema, segments);
    if (typeof target !== 'boolean' && !isSchema(target)) return undefined;
    const name = freeName(segments, schema, paths);
    names.set(path, name);
    paths.set(name, path);
    definitions.set(name, rewrite(target, ''));
    return name;
  };

  const rewrite = (node: JsonSchema | boolean, keyword: string): JsonSchema => {
    if (typeof node === 'boolean') {
      if (BOOLEAN.has(keyword)) return node as unknown as JsonSchema;
      return node ? {} : { not: {} };
    }
    const name = typeof node.$ref === 'string' ? nameFor(node.$ref) : undefined;
    const named = name === undefined ? node : { ...node, $ref: referenceTo(name) };
    return mapSubschemas(withTuple(withoutDefinitions(named)), rewrite);
  };

  return { root: rewrite(root, ''), definitions, paths };
}

export function referenceTo(name: string): string {
  return `#/$defs/${escapePointer(name)}`;
}

/** The name of the definition that a canonical `$ref` leads to; empty for the root. */
export function definitionOf(ref: string): string | undefined {
  const segments = parseReference(ref);
  if (!segments) return undefined;
  return segments.length === 0 ? '' : segments.length === 2 ? segments[1] : undefined;
}

function freeName(
  segments: readonly string[],
  { $defs }: JsonSchema,
  taken: ReadonlyMap<string, string>,
): string {
  const last = segments.at(-1) ?? '';
  const isOwn = segments.length === 2 && segments[0] === '$defs';
  const isTaken = (name: string) => taken.has(name) || (!isOwn && Object.hasOwn($defs ?? {}, name));
  let name = last;
  for (let suffix = 2; isTaken(name); suffix++) name = `${last}${suffix}`;
  return name;
}

function withoutDefinitions(schema: JsonSchema): JsonSchema {
  if (schema.$defs === undefined && schema.definitions === undefined) return schema;
  const { $defs: _defs, definitions: _older, ...rest } = schema;
  return rest;
}

function withTuple(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return schema;
  const { items, additionalItems, ...rest } = schema;
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems === undefined ? {} : { items: additionalItems as JsonSchema }),
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
