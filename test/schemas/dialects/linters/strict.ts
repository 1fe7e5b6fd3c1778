import { lintReference, lintRoot } from './root.linter.js';
import { keysOf, typeList, unknownKeywords, walk, type Schema } from './walk.js';

/** What both strict dialects ask: closed objects, typed values, references without siblings. */
export function lintStrict(root: Schema, allowed: readonly string[]): string[] {
  const violations = lintRoot(root);
  for (const [path, schema] of walk(root)) {
    const say = (text: string) => violations.push(`${path}: ${text}`);
    const keywords = path === '#' ? [...allowed, '$defs'] : allowed;
    for (const keyword of unknownKeywords(schema, keywords)) say(keyword);
    violations.push(...lintReference(root, path, schema));
    const types = typeList(schema);
    if ('$ref' in schema && Object.keys(schema).length > 1) say('siblings of $ref');
    if (types.length === 0 && !('$ref' in schema) && !schema.anyOf) say('no type');
    if (types.filter((type) => type !== 'null').length > 1) say('several types');
    if (Array.isArray(schema.anyOf) && schema.anyOf.length === 0) say('an empty anyOf');
    if (types.includes('object') && schema.additionalProperties !== false) say('an open object');
    if (types.includes('object') && schema.properties === undefined) say('no properties');
    if (types.includes('array') && typeof schema.items !== 'object') say('no items');
    const undescribed = (schema.required as string[] | undefined)?.filter(
      (name) => !keysOf(schema.properties).includes(name),
    );
    if (undescribed?.length) say(`requires ${undescribed.join()} without describing it`);
    if (schema.enum) violations.push(...lintEnum(path, schema.enum as unknown[], types));
  }
  return violations;
}

function lintEnum(path: string, values: readonly unknown[], types: readonly string[]): string[] {
  if (values.length === 0) return [`${path}: an empty enum`];
  const isOfType = (value: unknown) =>
    (value === null && types.includes('null')) ||
    types.includes(typeof value) ||
    (Number.isInteger(value) && types.includes('integer'));
  return values.every(isOfType) ? [] : [`${path}: values of other types in the enum`];
}
