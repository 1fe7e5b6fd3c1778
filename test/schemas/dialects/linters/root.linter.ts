import { isSchema, type Schema } from './walk.js';

/** What every provider asks of the root: an object, and no union, reference or negation. */
export function lintRoot(schema: Schema): string[] {
  const violations: string[] = [];
  if (schema.type !== 'object') violations.push('#: the type is not "object"');
  if (!isSchema(schema.properties)) violations.push('#: no properties');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref', '$schema']) {
    if (keyword in schema) violations.push(`#: ${keyword}`);
  }
  return violations;
}

/** References must lead somewhere. */
export function lintReference(root: Schema, path: string, { $ref }: Schema): string[] {
  if ($ref === undefined || $ref === '#') return [];
  const name = String($ref)
    .replace(/^#\/\$defs\//, '')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  const isFound = isSchema(root.$defs) && Object.hasOwn(root.$defs, name);
  return isFound ? [] : [`${path}: ${String($ref)} leads nowhere`];
}
