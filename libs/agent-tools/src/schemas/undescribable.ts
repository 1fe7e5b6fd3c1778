import type { JsonSchema } from './interfaces/json-schema.interface.js';
import { SchemaException } from './schema.exception.js';
import { forEachSubschema, resolveReference, type SubschemaPlace } from './subschemas.js';

/**
 * Keyword that a source puts where its library has a type that JSON Schema does not know; its value
 * is the library's name for that type.
 */
export const UNDESCRIBABLE = 'x-undescribable';

const NO_TYPES: readonly string[] = [];

const ANNOTATIONS = new Set(['title', 'description', 'examples', 'default']);

/** What to write instead of a type, by the library's name for it. */
export type Remedies = Readonly<Record<string, string>>;

interface Finding {
  readonly path: string;
  readonly problem: string;
}

/**
 * Refuses a schema that holds what JSON cannot describe.
 *
 * @param itemsRemedy how to type the items of an array; without it, untyped items are allowed
 * @throws SchemaException that names every place, and what to write there
 */
export function refuseUndescribable(
  schema: JsonSchema,
  remedies: Remedies,
  itemsRemedy?: string,
): void {
  if (!hasProblem(schema, schema, remedies, itemsRemedy)) return;
  const findings: Finding[] = [];
  const seen = new Set<JsonSchema>();

  const visit = (node: JsonSchema, path: string) => {
    if (seen.has(node)) return;
    seen.add(node);
    const problem = problemOf(node, schema, remedies, itemsRemedy);
    if (problem) findings.push({ path: path || '(root)', problem });
    if (node.$ref !== undefined) {
      const target = resolveReference(schema, node.$ref);
      if (target) visit(target, path);
    }
    forEachSubschema(node, (child, place) => {
      if (place.keyword !== '$defs') visit(child, pathTo(path, place));
    });
  };

  visit(schema, '');
  if (findings.length === 0) return;
  throw new SchemaException(findings.map(({ path, problem }) => `"${path}" ${problem}`).join(' '));
}

/** Most schemas have none, so places are put into words only where there is one. */
function hasProblem(
  node: JsonSchema,
  root: JsonSchema,
  remedies: Remedies,
  itemsRemedy: string | undefined,
): boolean {
  if (problemOf(node, root, remedies, itemsRemedy) !== undefined) return true;
  let isFound = false;
  forEachSubschema(node, (child) => {
    isFound ||= hasProblem(child, root, remedies, itemsRemedy);
  });
  return isFound;
}

function problemOf(
  node: JsonSchema,
  root: JsonSchema,
  remedies: Remedies,
  itemsRemedy: string | undefined,
): string | undefined {
  const mark = node[UNDESCRIBABLE] ?? typesOf(node).find((type) => Object.hasOwn(remedies, type));
  if (mark !== undefined) {
    const remedy = remedies[String(mark)] ?? remedies.other;
    return `is of the type ${String(mark)}, which JSON cannot describe. Write ${remedy} instead.`;
  }
  if (node.$ref !== undefined && !resolveReference(root, node.$ref)) {
    return `refers to "${node.$ref}", which is not in the schema. Put it into \`$defs\`.`;
  }
  return itemsRemedy !== undefined && hasUntypedItems(node)
    ? `is an array whose items have no type. Write ${itemsRemedy}.`
    : undefined;
}

function hasUntypedItems({ type, items, prefixItems }: JsonSchema): boolean {
  if (!typesOf({ type }).includes('array') || prefixItems !== undefined) return false;
  if (items === undefined || typeof items === 'boolean') return items !== false;
  return Object.keys(items).every((keyword) => ANNOTATIONS.has(keyword));
}

function typesOf({ type = NO_TYPES }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

function pathTo(path: string, { keyword, key }: SubschemaPlace): string {
  switch (keyword) {
    case 'properties':
      return path === '' ? String(key) : `${path}.${key}`;
    case 'items':
      return `${path}[]`;
    case 'prefixItems':
      return `${path}[${key}]`;
    case 'additionalProperties':
    case 'patternProperties':
      return path === '' ? '*' : `${path}.*`;
    default:
      return path;
  }
}
