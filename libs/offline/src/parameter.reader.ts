import type { JsonSchema } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** A place in the arguments of a tool; `schema` is that of one value if it takes a list. */
export interface Parameter {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly list: boolean;
  readonly required: boolean;
  /** Type, format, the words of the name, and the descriptions. */
  readonly about: string;
}

/** The parameters of an input schema, those of nested objects included. */
export function parametersOf(outer: JsonSchema, root = outer, above: string[] = []): Parameter[] {
  return Object.entries(outer.properties ?? {}).flatMap(([key, member]) => {
    const path = [...above, key];
    const { items, ...property } = resolve(member, root);
    const required = outer.required?.includes(key) ?? false;
    const inner = path.length < 4 ? parametersOf(property, root, path) : [];
    if (inner.length > 0)
      return inner.map((each) => ({ ...each, required: each.required && required }));
    const list = typeof items === 'object';
    const schema = list ? resolve(items as JsonSchema, root) : property;
    const type = [schema.type ?? 'string'].flat().find((each) => each !== 'null');
    const texts = [
      type,
      schema.format,
      ...splitWords(key),
      property.description,
      schema.description,
    ];
    return {
      path,
      schema: { ...schema, type },
      list,
      required,
      about: texts.join(' ').toLowerCase(),
    };
  });
}

/** Follows local references and takes the first member of a union that is not `null`. */
function resolve({ $ref, anyOf, oneOf, ...schema }: JsonSchema, root: JsonSchema): JsonSchema {
  const target = $ref
    ?.split('/')
    .slice(1)
    .reduce<unknown>((at, key) => Object(at)[key], root);
  const members = [anyOf, oneOf].find(Array.isArray) as JsonSchema[] | undefined;
  const inner = (target ?? members?.find(({ type }) => type !== 'null')) as JsonSchema | undefined;
  return inner ? { ...resolve(inner, root), ...schema } : schema;
}
