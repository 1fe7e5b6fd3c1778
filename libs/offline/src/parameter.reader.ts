import type { JsonSchema } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** A place in the arguments of a tool that takes one value or a list of values. */
export interface Parameter {
  readonly path: readonly string[];
  /** Of one value. */
  readonly schema: JsonSchema;
  readonly list: boolean;
  readonly required: boolean;
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
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const property = resolve(member, root);
    const required = needed && (schema.required?.includes(key) ?? false);
    const at = [...path, key];
    if (property.properties && at.length < 4) return parametersOf(property, root, at, required);
    const list = typeof property.items === 'object' && !Array.isArray(property.items);
    const value = list ? resolve(property.items as JsonSchema, root) : property;
    const type = [value.type ?? []].flat().find((each) => each !== 'null');
    const words = [
      splitWords(at.join(' ')).join(' '),
      schema.title,
      property.description,
      value.description,
      value.format,
    ];
    return [{ path: at, schema: { ...value, type }, list, required, text: words.join(' ') }];
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
