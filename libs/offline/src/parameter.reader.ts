import type { JsonSchema } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** A place in the arguments of a tool that takes one value or a list of values. */
export interface Parameter {
  readonly path: readonly string[];
  /** Of one value. */
  readonly schema: JsonSchema;
  readonly list: boolean;
  readonly required: boolean;
  /** Type, format and the words of the name; then the descriptions. */
  readonly text: string;
}

/** Patterns for the values of formats; a few characters tell them apart. */
const FORMATS: Readonly<Record<string, string>> = {
  date: String.raw`^\d{4}-\d\d-\d\d$`,
  'date-time': String.raw`^\d{4}-\d\d-\d\dT`,
  time: String.raw`^\d\d:\d\d`,
  email: '^[^@]+@[^@]+$',
  uri: '^[a-z]+://',
  uuid: '^[0-9a-f]{8}-[0-9a-f-]{27}$',
};

/** The parameters of an input schema, those of nested objects included. */
export function parametersOf(
  schema: JsonSchema,
  root = schema,
  path: readonly string[] = [],
  needed = true,
): Parameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const property = resolve(member, root);
    const required = needed && (schema.required?.includes(key) ?? false);
    const at = [...path, key];
    if (property.properties && at.length < 4) return parametersOf(property, root, at, required);
    const list = typeof property.items === 'object';
    const value = list ? resolve(property.items as JsonSchema, root) : property;
    const type = [value.type ?? 'string'].flat().find((each) => each !== 'null');
    const pattern = value.pattern ?? FORMATS[String(value.format)];
    const words = [
      type,
      value.format,
      ...splitWords(at.join(' ')),
      property.description,
      value.description,
    ];
    return [
      { path: at, schema: { ...value, type, pattern }, list, required, text: words.join(' ') },
    ];
  });
}

/** Follows local references and takes the first member of a union that is not `null`. */
function resolve({ $ref, anyOf, oneOf, ...schema }: JsonSchema, root: JsonSchema): JsonSchema {
  const keys = $ref?.split('/').slice(1);
  const target = keys?.reduce<unknown>((at, key) => Object(at)[key], root);
  const members = [anyOf, oneOf].find(Array.isArray) as JsonSchema[] | undefined;
  const inner = (target ?? members?.find(({ type }) => type !== 'null')) as JsonSchema | undefined;
  return inner ? { ...resolve(inner, root), ...schema } : schema;
}
