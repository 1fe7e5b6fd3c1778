import type { JsonSchema, ObjectJsonSchema } from '../../interfaces/json-schema.interface.js';
import {
  isSchemaObject,
  mapSubschemas,
  parseReference,
  pointerTo,
  toPointer,
  valueAt,
} from '../../subschemas.js';

export interface HoistedSchema {
  readonly schema: JsonSchema;
  /** Where it stands in the original, as a JSON Pointer. */
  readonly path: string;
}

/** Keywords whose booleans say more than the same as a schema would. */
const BOOLEAN = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/**
 * Takes a schema apart into its definitions, by name, and the root, whose name is empty. Every `$ref`
 * leads to one of them, `true` and `false` are schemas, and a list of `items`, as in older drafts, is
 * `prefixItems`. Definitions that nothing refers to are left out.
 */
export function hoistDefinitions(document: ObjectJsonSchema): Map<string, HoistedSchema> {
  const hoisted = new Map<string, HoistedSchema>();
  const names = new Map([['', '']]);
  const taken = new Set(['']);

  const nameFor = (reference: string): string | undefined => {
    const tokens = parseReference(reference);
    if (!tokens) return undefined;
    const path = toPointer(tokens);
    const known = names.get(path);
    if (known !== undefined) return known;
    const target = valueAt(document, tokens);
    if (typeof target !== 'boolean' && !isSchemaObject(target)) return undefined;
    const name = freeName(tokens, document, taken);
    names.set(path, name);
    taken.add(name);
    const schema = typeof target === 'boolean' ? toSchema(target) : rewrite(target);
    hoisted.set(name, { schema, path });
    return name;
  };

  const rewrite = (schema: JsonSchema): JsonSchema => {
    const name = typeof schema.$ref === 'string' ? nameFor(schema.$ref) : undefined;
    const named = name === undefined ? schema : { ...schema, $ref: referenceTo(name) };
    return mapSubschemas(withTuple(withoutDefinitions(named)), rewrite, (value, keyword) =>
      BOOLEAN.has(keyword) ? value : toSchema(value),
    );
  };

  const { $schema: _dialect, ...root } = document;
  return hoisted.set('', { schema: rewrite(root), path: '' });
}

export function referenceTo(name: string): string {
  return name === '' ? '#' : pointerTo('#', { keyword: '$defs', key: name });
}

/** The name of the definition that such a reference leads to; empty for the root. */
export function definitionOf(reference: string): string | undefined {
  const tokens = parseReference(reference);
  if (!tokens) return undefined;
  return tokens.length === 0 ? '' : tokens.length === 2 ? tokens[1] : undefined;
}

function toSchema(value: boolean): JsonSchema {
  return value ? {} : { not: {} };
}

function freeName(
  tokens: readonly string[],
  { $defs }: JsonSchema,
  taken: ReadonlySet<string>,
): string {
  const last = tokens.at(-1) ?? '';
  const isOwn = tokens.length === 2 && tokens[0] === '$defs';
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
