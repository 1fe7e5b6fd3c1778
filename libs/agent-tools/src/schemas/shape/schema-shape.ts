/** The types of JSON as bits, so that a schema's list of types is one comparison away. */
export const JsonType = {
  string: 1,
  number: 2,
  integer: 4,
  boolean: 8,
  null: 16,
  array: 32,
  object: 64,
  any: 127,
} as const;

const MAX_DEPTH = 8;

/**
 * What of a JSON Schema decides how a value is read, compiled once for each tool. Constraints such
 * as `minimum` are left to the validation.
 */
export interface SchemaShape {
  /** Sum of `JsonType`s. */
  types: number;
  /** Of `enum` or `const`. */
  values?: readonly unknown[];
  /** Text values of `values` by their lower-case form; undefined where two share one. */
  folded?: ReadonlyMap<string, string | undefined>;
  /** Whether the empty text is refused for another reason than its type. */
  refusesEmptyText: boolean;
  /** Whether a value of one of the types needs no further look. */
  isPlain: boolean;
  format?: string;
  /** Whether the schema says that the value is a secret: `format: 'password'`, `writeOnly`. */
  isSecret?: boolean;
  properties?: ReadonlyMap<string, SchemaShape>;
  required?: ReadonlySet<string>;
  /** Of properties that are not named; undefined if they are refused. */
  additional?: SchemaShape;
  items?: SchemaShape;
  /** Of the first items of a list, one each: `prefixItems`. */
  prefix?: readonly SchemaShape[];
  /** All of them hold: `allOf`, and what `$ref` leads to. */
  all?: readonly SchemaShape[];
  /** One or more of them holds: `anyOf`, `oneOf`. */
  branches?: readonly SchemaShape[];
}

/** Whether a schema is put together from others, which may lead back to it. */
export function hasParts({ all, branches }: SchemaShape): boolean {
  return all !== undefined || branches !== undefined;
}

/** The shape of a property or of the items of a list, wherever the schema has it. */
export function propertyOf(shape: SchemaShape, key: string): SchemaShape | undefined {
  return namedPropertyOf(shape, key) ?? findIn(shape, ({ additional }) => additional);
}

/** The same, but only if the schema names the property. */
export function namedPropertyOf(shape: SchemaShape, key: string): SchemaShape | undefined {
  const isIndex = /^\d+$/.test(key);
  return findIn(
    shape,
    ({ properties, prefix, items }) =>
      properties?.get(key) ?? (isIndex ? (prefix?.[Number(key)] ?? items) : undefined),
  );
}

/** What the schema itself has, or else the first of its parts. */
function findIn(
  shape: SchemaShape,
  find: (part: SchemaShape) => SchemaShape | undefined,
  depth = 0,
): SchemaShape | undefined {
  const own = find(shape);
  // A schema may be a part of itself.
  if (own || depth > MAX_DEPTH) return own;
  for (const part of [...(shape.all ?? []), ...(shape.branches ?? [])]) {
    const found = findIn(part, find, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** Whether a schema, or a part of it that a value has to match, says that the value is secret. */
export function isSecretShape(shape: SchemaShape, depth = 0): boolean {
  if (shape.isSecret || depth > MAX_DEPTH) return shape.isSecret ?? false;
  const parts = [
    ...(shape.all ?? []),
    ...(shape.branches ?? []),
    ...(shape.items ? [shape.items] : []),
  ];
  return parts.some((part) => isSecretShape(part, depth + 1));
}

/**
 * A text without regard to case, by its code points alone: in a Turkish locale, the lower case of "I" is
 * another letter. Letters that have only one of their cases in common, such as K and the sign of Kelvin,
 * stay different.
 */
export function foldCase(text: string): string {
  return `${text.toLowerCase()}\n${text.toUpperCase()}`;
}

/** The bits of a value's type. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return JsonType.string;
    case 'number':
      return Number.isInteger(value) ? JsonType.number | JsonType.integer : JsonType.number;
    case 'boolean':
      return JsonType.boolean;
    case 'object':
      if (value === null) return JsonType.null;
      return Array.isArray(value) ? JsonType.array : JsonType.object;
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      return 0;
  }
}
