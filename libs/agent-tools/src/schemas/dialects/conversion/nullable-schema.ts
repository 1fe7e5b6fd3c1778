import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { typesOf } from './keywords.js';

const SCALARS = new Set(['string', 'number', 'integer', 'boolean']);

/** The same schema, with `null` allowed beside what it allows. */
export function withNull(schema: JsonSchema): JsonSchema {
  if (acceptsNull(schema)) return schema;
  const types = typesOf(schema);
  if (types.length > 0 && types.every((type) => SCALARS.has(type))) {
    return {
      ...schema,
      type: [...types, 'null'],
      ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
    };
  }
  // The description stays outside, where it is about the value as a whole.
  const { description, ...rest } = schema;
  const keys = Object.keys(rest);
  const variants = keys.length === 1 && rest.anyOf ? (rest.anyOf as JsonSchema[]) : [rest];
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [...variants, { type: 'null' }],
  };
}

/** Whether a converted schema allows `null`. What a reference leads to is not looked at. */
function acceptsNull(schema: JsonSchema): boolean {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((variant) => acceptsNull(variant));
  return typesOf(schema).includes('null') && (!schema.enum || schema.enum.includes(null));
}
