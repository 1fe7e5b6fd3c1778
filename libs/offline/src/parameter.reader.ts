import type { JsonSchema } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** A place in the arguments of a tool that takes one value, or a list of such values. */
export interface Parameter {
  readonly path: readonly string[];
  /** Of one value. */
  readonly schema: JsonSchema;
  readonly type: string | undefined;
  readonly list: boolean;
  readonly required: boolean;
  /** The words of its name. */
  readonly name: readonly string[];
  /** Its name, title and description. */
  readonly text: string;
}

/** The parameters of an input schema, those of nested objects included. */
export function parametersOf(
  schema: JsonSchema,
  root = schema,
  path: readonly string[] = [],
  needed = true,
): Parameter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, raw]) => {
    const property = resolve(raw, root);
    const required = needed && (schema.required ?? []).includes(key);
    const at = [...path, key];
    if (property.properties && at.length < 4) return parametersOf(property, root, at, required);
    const { items } = property;
    const list = typeof items === 'object' && 'type' in items;
    const value = list ? resolve(items, root) : property;
    const name = splitWords(at.join(' '));
    const text = [...name, property.title, property.description, value.description].join(' ');
    const type = [value.type ?? []].flat().find((each) => each !== 'null');
    return { path: at, schema: { ...property, ...value }, type, list, required, name, text };
  });
}

/** Follows local references and takes the first member of a union that is not `null`. */
function resolve({ $ref, anyOf, oneOf, ...schema }: JsonSchema, root: JsonSchema): JsonSchema {
  const members = [anyOf, oneOf].find(Array.isArray) as readonly JsonSchema[] | undefined;
  const target = $ref?.split('/').slice(1).reduce<unknown>(member, root);
  const inner = (target ?? members?.find(({ type }) => type !== 'null')) as JsonSchema | undefined;
  return inner ? { ...resolve(inner, root), ...schema } : schema;
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[key];
}
