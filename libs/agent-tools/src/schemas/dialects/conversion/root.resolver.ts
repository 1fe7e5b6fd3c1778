import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { ConversionReport } from './conversion.report.js';
import { described } from './constraint.describer.js';
import { foldEnums } from './enum-groups.js';
import { isNever, isSame } from './keywords.js';
import { mergeSchemas } from './merge-schemas.js';
import type { Scope, SchemaFlattener } from './schema.flattener.js';
import { keyOf, type SchemaNode } from './schema-node.js';

const REFUSED_AT_ROOT = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'];

/** Every provider wants a plain object at the root: no reference, no union, no negation. */
export class RootResolver {
  constructor(
    private readonly flattener: SchemaFlattener,
    private readonly report: ConversionReport,
  ) {}

  resolve(node: SchemaNode, scope: Scope): SchemaNode {
    if (!REFUSED_AT_ROOT.some((keyword) => keyword in node.schema)) return node;
    const flat = this.flattener.flatten(node, scope, true);
    for (const path of flat.failures) {
      this.report.fail(path, 'cannot be put together with the rest of the root');
    }
    let current = flat.node;
    for (const keyword of ['anyOf', 'oneOf']) {
      if (keyword in current.schema) current = this.dissolve(current, keyword, flat.scope);
    }
    for (const keyword of ['not', 'enum', 'const']) {
      if (!(keyword in current.schema)) continue;
      this.report.fail(current.placeOf(keyword), `\`${keyword}\` at the root`);
      current = current.without(keyword);
    }
    return current;
  }

  /** One object with the properties of all variants; required is what each of them requires. */
  private dissolve(node: SchemaNode, keyword: string, scope: Scope): SchemaNode {
    this.report.fail(node.placeOf(keyword), 'a union at the root');
    const base = node.without(keyword);
    const variants: SchemaNode[] = [];
    for (const [index, variant] of (node.schema[keyword] as JsonSchema[]).entries()) {
      const child = node.child(variant, keyword, String(index));
      const flat = this.flattener.flatten(child, scope, true);
      const merged = mergeSchemas(base, flat.node);
      if (merged === undefined) return base;
      if (merged !== 'never' && !isNever(merged.schema))
        variants.push(this.resolve(merged, flat.scope));
    }
    return variants.length === 0 ? base : this.unite(base, variants);
  }

  private unite(base: SchemaNode, variants: readonly SchemaNode[]): SchemaNode {
    const places: [string, string][] = [];
    const properties = new Map<string, JsonSchema>();
    for (const name of new Set(variants.flatMap(({ schema }) => namesOf(schema)))) {
      const { schema, path } = this.uniteProperty(name, variants);
      properties.set(name, schema);
      places.push([keyOf('properties', name), path]);
    }
    const schemas = variants.map(({ schema }) => schema);
    const required = requiredByAll(schemas);
    const isClosed = schemas.every(
      ({ additionalProperties, patternProperties }) =>
        additionalProperties === false && !patternProperties,
    );
    if (isClosed) {
      places.push(['additionalProperties', variants[0].placeOf('additionalProperties')]);
    }
    const kept = Object.entries(base.schema).filter(
      ([keyword, value]) =>
        !['properties', 'required', 'additionalProperties', 'description'].includes(keyword) &&
        schemas.every((schema) => isSame(schema[keyword], value)),
    );
    return base.derive(
      {
        ...(Object.fromEntries(kept) as JsonSchema),
        ...described(base.schema.description, describeChoice(schemas, required)),
        properties: Object.fromEntries(properties),
        ...(required.length > 0 ? { required } : {}),
        ...(isClosed ? { additionalProperties: false } : {}),
      },
      places,
    );
  }

  private uniteProperty(name: string, variants: readonly SchemaNode[]): SchemaNode {
    const different = new Map<string, SchemaNode>();
    for (const variant of variants) {
      const { properties = {} } = variant.schema;
      if (!Object.hasOwn(properties, name)) continue;
      different.set(
        JSON.stringify(properties[name]),
        variant.child(properties[name], 'properties', name),
      );
    }
    const found = [...different.values()];
    const [first] = found;
    if (found.length === 1) return first;
    const union = foldEnums(found.map(({ schema }) => schema)) ?? first.compose('anyOf', found);
    return first.at(first.path, union);
  }
}

function namesOf({ properties = {} }: JsonSchema): string[] {
  return Object.keys(properties);
}

function requiredByAll(schemas: readonly JsonSchema[]): string[] {
  const [first, ...others] = schemas.map(({ required = [] }) => required);
  return first.filter((name) => others.every((required) => required.includes(name)));
}

/** In words, what of the variants can be told in one line: which properties go together. */
function describeChoice(schemas: readonly JsonSchema[], required: readonly string[]): string[] {
  const sets = schemas.map((schema) =>
    (schema.required ?? []).filter((name) => !required.includes(name)),
  );
  if (sets.some((names) => names.length === 0)) return [];
  const lists = new Set(sets.map((names) => names.map((name) => `"${name}"`).join(', ')));
  return [`give one of these sets of properties: ${[...lists].join('; or ')}`];
}
