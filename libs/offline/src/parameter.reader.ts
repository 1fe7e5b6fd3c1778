import type { JsonSchema } from 'nestjs-agent-tools';
import { splitWords } from './word.normalizer.js';

/** A place in the arguments of a tool. `about` has its type, its name and its description. */
export type Parameter = { path: string[]; schema: JsonSchema; required: boolean; about: string };

/** The parameters of an input schema, with those of nested objects. A list has the schema of an item. */
export function parametersOf(object: JsonSchema, root = object, above: string[] = []): Parameter[] {
  return Object.entries(object.properties ?? {}).flatMap(([key, member]) => {
    const path = [...above, key];
    const outer = resolve(member, root);
    const required = object.required?.includes(key) ?? false;
    const inner = path.length < 4 ? parametersOf(outer, root, path) : [];
    if (inner.length > 0)
      return inner.map((each) => ({ ...each, required: each.required && required }));
    const schema = { ...outer, ...resolve(Object(outer.items), root) };
    const type = [schema.type ?? 'string'].flat().find((each) => each !== 'null');
    const about = [type, ...splitWords(path.join(' ')), schema.format, schema.description];
    return { path, schema: { ...schema, type }, required, about: about.join(' ').toLowerCase() };
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
