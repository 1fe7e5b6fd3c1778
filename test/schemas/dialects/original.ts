import type { JsonSchema } from 'nestjs-agent-tools';

type Accepts = (schema: JsonSchema, value: unknown) => boolean;

/**
 * Drops the `null`s that strict mode invented: those of properties that the original lets be missing
 * and does not let be `null`. Where the original is a union, by the first variant that fits then.
 *
 * @param accepts whether a part of the original accepts a value
 */
export function dropInventedNulls(
  root: JsonSchema,
  schema: JsonSchema,
  value: unknown,
  accepts: Accepts,
): unknown {
  if (typeof schema !== 'object' || value === null || typeof value !== 'object') return value;
  const { $ref, allOf } = schema;
  let result: unknown = value;
  if ($ref !== undefined) result = dropInventedNulls(root, resolve(root, $ref), result, accepts);
  for (const part of (allOf ?? []) as JsonSchema[]) {
    result = dropInventedNulls(root, part, result, accepts);
  }
  result = dropIn(root, schema, result, accepts);
  for (const list of [schema.anyOf, schema.oneOf] as (JsonSchema[] | undefined)[]) {
    const dropped = list?.map((variant) => dropInventedNulls(root, variant, result, accepts));
    const index = dropped?.findIndex((one, at) => list && accepts(list[at], one)) ?? -1;
    if (dropped && index >= 0) result = dropped[index];
  }
  return result;
}

function dropIn(root: JsonSchema, schema: JsonSchema, value: unknown, accepts: Accepts): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items || typeof items !== 'object') return value;
    return value.map((item) => dropInventedNulls(root, items as JsonSchema, item, accepts));
  }
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, item]) => {
      if (!Object.hasOwn(properties, name)) return [[name, item]];
      const child = properties[name];
      if (item === null && !required.includes(name) && !accepts(child, null)) return [];
      return [[name, dropInventedNulls(root, child, item, accepts)]];
    }),
  );
}

/**
 * The original without what the losses name. A `oneOf` becomes `anyOf`: only that one variant alone
 * must fit is lost.
 */
export function withoutLosses(original: JsonSchema, losses: readonly string[]): JsonSchema {
  const copy = structuredClone(original) as Record<string, unknown>;
  // The inner ones first, whose place an outer one takes away.
  for (const loss of losses.toSorted((a, b) => b.length - a.length)) {
    const names = segmentsOf(loss);
    const keyword = names.pop() ?? '';
    const parent = at(copy, names);
    if (keyword === 'oneOf') parent.anyOf = parent.oneOf;
    delete parent[keyword];
  }
  return copy;
}

/** Whether a place exists in a document. */
export function exists(document: unknown, pointer: string): boolean {
  const names = segmentsOf(pointer);
  const last = names.pop() ?? '';
  return Object.hasOwn(at(document, names), last);
}

function at(document: unknown, names: readonly string[]): Record<string, unknown> {
  return names.reduce<Record<string, unknown>>(
    // What an outer loss removed holds nothing that could be lost.
    (value, name) => (value[name] ?? {}) as Record<string, unknown>,
    document as Record<string, unknown>,
  );
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function resolve(root: JsonSchema, ref: string): JsonSchema {
  return ref === '#' ? root : at(root, segmentsOf(ref));
}
