import { jsonTypeOf } from '../../canonical-keywords.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { distinct, isSame, typesOf } from './keywords.js';

/** The allowed values of one type. */
interface EnumGroup {
  readonly type: string;
  readonly values: readonly unknown[];
}

/** The values of an `enum` or `const` that its `type` allows, by type, `null` last. */
export function groupEnum(schema: JsonSchema): EnumGroup[] {
  const types = typesOf(schema);
  const groups = new Map<string, unknown[]>();
  for (const value of valuesOf(schema)) {
    const type = typeFor(value, types);
    if (type === undefined) continue;
    const group = groups.get(type);
    if (!group) groups.set(type, [value]);
    else if (!group.some((other) => isSame(other, value))) group.push(value);
  }
  return [...groups]
    .map(([type, values]) => ({ type, values }))
    .toSorted((a, b) => Number(a.type === 'null') - Number(b.type === 'null'));
}

/** Schemas that each only list values of one type, as one; undefined if one says more. */
export function foldEnums(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const [first] = schemas;
  if (schemas.length < 2) return undefined;
  const isList = (schema: JsonSchema) =>
    Object.keys(schema).every((keyword) => ['type', 'enum', 'const'].includes(keyword)) &&
    isSame(schema.type, first.type) &&
    ('enum' in schema || 'const' in schema);
  if (!schemas.every(isList)) return undefined;
  return {
    ...(first.type === undefined ? {} : { type: first.type }),
    enum: distinct(schemas.flatMap(valuesOf)),
  };
}

export function valuesOf(schema: JsonSchema): readonly unknown[] {
  const { enum: values } = schema;
  if (!('const' in schema)) return values ?? [];
  return values ? values.filter((value) => isSame(value, schema.const)) : [schema.const];
}

function typeFor(value: unknown, types: readonly string[]): string | undefined {
  const type = jsonTypeOf(value);
  if (types.length === 0) return Number.isInteger(value) ? 'integer' : type;
  if (types.includes(type)) return type;
  return Number.isInteger(value) && types.includes('integer') ? 'integer' : undefined;
}
