import type { JsonSchema } from './interfaces/json-schema.interface.js';

/**
 * Brings the keywords of one schema into the form of draft 2020-12: tuples, `nullable`, boolean
 * limits and `dependencies` have changed since draft-07, and OpenAPI has its own.
 */
export function canonicaliseKeywords(schema: JsonSchema): JsonSchema {
  let current = schema;
  for (const [keywords, rule] of RULES) {
    if (keywords.some((keyword) => keyword in current)) current = rule(current);
  }
  return current;
}

/** Each rule with the keywords without which it has nothing to do: most schemas are canonical. */
const RULES: readonly (readonly [readonly string[], (schema: JsonSchema) => JsonSchema])[] = [
  [['items', 'additionalItems'], tuple],
  [['exclusiveMinimum'], (schema) => exclusiveLimit(schema, 'minimum', 'exclusiveMinimum')],
  [['exclusiveMaximum'], (schema) => exclusiveLimit(schema, 'maximum', 'exclusiveMaximum')],
  [['dependencies'], dependencies],
  [['example'], example],
  [['anyOf', 'oneOf'], literalUnion],
  [['nullable'], nullable],
  [['type', 'enum'], type],
];

function tuple({ additionalItems, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return schema;
  const { items, ...rest } = schema;
  return {
    ...rest,
    prefixItems: items as readonly JsonSchema[],
    ...(additionalItems === undefined || additionalItems === true
      ? {}
      : { items: additionalItems }),
  } as JsonSchema;
}

/** Draft-04 and OpenAPI 3.0 write the limit as `minimum` and whether it is excluded as a boolean. */
function exclusiveLimit(schema: JsonSchema, limit: string, exclusive: string): JsonSchema {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [limit]: value, [exclusive]: isExclusive, ...rest } = schema;
  return value === undefined ? rest : { ...rest, [isExclusive ? exclusive : limit]: value };
}

function dependencies({ dependencies: given, ...schema }: JsonSchema): JsonSchema {
  if (given === null || typeof given !== 'object') return schema;
  const entries = Object.entries(given);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...schema,
    ...(required.length > 0 ? { dependentRequired: Object.fromEntries(required) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  };
}

function example({ example: given, ...schema }: JsonSchema): JsonSchema {
  if (given === undefined || schema.examples !== undefined) return schema;
  return { ...schema, examples: [given] };
}

/** TypeBox and zod write a union of literals as a list of constants, which is an enum. */
function literalUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...rest } = schema;
  const branches = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  if (!branches?.length || (anyOf && oneOf) || 'enum' in rest) return schema;
  if (!branches.every(isLiteral)) return schema;
  const values = branches.flatMap((branch) => branch.enum ?? [branch.const]);
  return { ...rest, enum: [...new Set(values)] };
}

function isLiteral(branch: unknown): branch is JsonSchema {
  if (branch === null || typeof branch !== 'object') return false;
  const { type: _type, ...rest } = branch as JsonSchema;
  const [keyword, ...others] = Object.keys(rest);
  return others.length === 0 && (keyword === 'const' || keyword === 'enum');
}

function nullable({ nullable: isNullable, ...schema }: JsonSchema): JsonSchema {
  if (isNullable !== true) return schema;
  const values = schema.enum;
  if (schema.type === undefined && !values) {
    const { description, title, default: preset, ...rest } = schema;
    const outside = Object.entries({ description, title, default: preset });
    return {
      ...Object.fromEntries(outside.filter(([, value]) => value !== undefined)),
      ...(Object.keys(rest).length > 0 ? { anyOf: [rest, { type: 'null' }] } : {}),
    };
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  return {
    ...schema,
    ...(types.length > 0 ? { type: [...new Set([...types, 'null'])] } : {}),
    ...(values ? { enum: [...new Set([...values, null])] } : {}),
  };
}

/** A list of one type is that type, and the values of an enum say what their type is. */
function type(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type) && schema.type.length === 1) {
    return { ...schema, type: String(schema.type[0]) };
  }
  if (schema.type !== undefined || !schema.enum?.length) return schema;
  const types = [...new Set(schema.enum.map(jsonTypeOf))];
  return { type: types.length === 1 ? types[0] : types, ...schema };
}

/** The name that JSON Schema has for the type of a value. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
