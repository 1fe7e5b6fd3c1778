type Schema = Readonly<Record<string, unknown>>;

const SINGLE = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];

/** Every schema within a schema, with its path. */
export function* walk(schema: Schema, path = '#'): Generator<[string, Schema]> {
  yield [path, schema];
  for (const keyword of SINGLE) {
    if (isSchema(schema[keyword])) yield* walk(schema[keyword], `${path}/${keyword}`);
  }
  for (const keyword of [...LISTS, ...MAPS]) {
    const value = schema[keyword];
    if (!value || typeof value !== 'object') continue;
    for (const [name, child] of Object.entries(value)) {
      if (isSchema(child)) yield* walk(child, `${path}/${keyword}/${name}`);
    }
  }
}

export function typeList({ type }: Schema): string[] {
  if (type === undefined) return [];
  return Array.isArray(type) ? (type as string[]) : [String(type)];
}

export function keysOf(value: unknown): string[] {
  return value && typeof value === 'object' ? Object.keys(value) : [];
}

/** Keywords beyond those listed. */
export function unknownKeywords(schema: Schema, allowed: readonly string[]): string[] {
  return Object.keys(schema).filter((keyword) => !allowed.includes(keyword));
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a regular expression character by character, past what is escaped or in a class. */
export function hasLookaround(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (['(?=', '(?!', '(?<=', '(?<!'].some((start) => pattern.startsWith(start, index))) {
      return true;
    }
  }
  return false;
}

export type { Schema };
