import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { SchemaShape } from '../shape/schema-shape.js';
import { compileShape } from '../shape/shape.compiler.js';
import { mapSubschemas } from '../subschemas.js';

type Tags = Record<string, readonly unknown[]>;

/**
 * Puts the fixed values of a branch of a union (its discriminator) before the branch itself. It says
 * the same, but the wrong branches are left before what is nested in them is looked at, which would
 * take twice as long for each level of a union that contains itself.
 */
export function gateUnions(root: JsonSchema): JsonSchema {
  // A reference into a branch would no longer find it.
  if (/"\$ref":"[^"]*\/(?:anyOf|oneOf)\//.test(JSON.stringify(root))) return root;
  const gate = (schema: JsonSchema): JsonSchema => {
    const gated: Record<string, unknown> = { ...mapSubschemas(schema, gate) };
    for (const keyword of ['anyOf', 'oneOf']) {
      const originals = schema[keyword];
      if (!Array.isArray(originals)) continue;
      const branches = gated[keyword] as readonly unknown[];
      gated[keyword] = branches.map((branch, index) =>
        gateBranch(branch, tagsOf(root, originals[index])),
      );
    }
    return gated;
  };
  return gate(root);
}

function gateBranch(branch: unknown, tags: Tags): unknown {
  const names = Object.keys(tags);
  if (names.length === 0) return branch;
  const properties = Object.fromEntries(names.map((name) => [name, { enum: tags[name] }]));
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  return { if: { properties }, then: branch, else: false };
}

function tagsOf(root: JsonSchema, branch: unknown): Tags {
  const isSchema = branch !== null && typeof branch === 'object';
  return isSchema ? fixedValues(compileShape(root, branch as JsonSchema)) : {};
}

/** Properties that may have some values only, those behind references and `allOf` included. */
function fixedValues(shape: SchemaShape, depth = 0): Tags {
  if (depth > MAX_DEPTH) return {};
  const parts = (shape.all ?? []).map((part) => fixedValues(part, depth + 1));
  const own = [...(shape.properties ?? [])].flatMap(([name, property]) => {
    const values = valuesOf(property);
    return values ? [[name, values] as const] : [];
  });
  return Object.assign({}, ...parts, Object.fromEntries(own)) as Tags;
}

const MAX_DEPTH = 8;

function valuesOf(shape: SchemaShape, depth = 0): readonly unknown[] | undefined {
  if (shape.values || depth > MAX_DEPTH) return shape.values;
  for (const part of shape.all ?? []) {
    const values = valuesOf(part, depth + 1);
    if (values) return values;
  }
  return undefined;
}

/** Whether a union contains itself in more than one branch that no fixed value tells apart. */
export function isUntaggedRecursion(root: JsonSchema): boolean {
  return [...reachableFrom(compileShape(root))].some((shape) => {
    const untagged = (shape.branches ?? []).filter(
      (branch) => Object.keys(fixedValues(branch)).length === 0,
    );
    return untagged.filter((branch) => reachableFrom(branch).has(shape)).length > 1;
  });
}

function reachableFrom(start: SchemaShape): Set<SchemaShape> {
  const reached = new Set([start]);
  for (const shape of reached) for (const part of partsOf(shape)) reached.add(part);
  return reached;
}

function partsOf({
  all,
  branches,
  properties,
  additional,
  items,
  prefix,
}: SchemaShape): SchemaShape[] {
  return [
    ...(all ?? []),
    ...(branches ?? []),
    ...(properties?.values() ?? []),
    ...(prefix ?? []),
    ...[additional, items].filter((part) => part !== undefined),
  ];
}
