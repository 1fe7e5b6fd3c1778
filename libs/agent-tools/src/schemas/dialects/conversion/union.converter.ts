import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { areDisjoint } from './disjoint-variants.js';
import { foldEnums } from './enum-groups.js';
import type { ConversionParts } from './interfaces/conversion-parts.interface.js';
import { hasConstraints, isConstraint, isNever } from './keywords.js';
import { mergeSchemas } from './merge-schemas.js';
import type { SchemaNode } from './schema-node.js';
import type { SchemaFlattener, Scope } from './schema.flattener.js';

interface Variant {
  readonly node: SchemaNode;
  readonly scope: Scope;
}

/** Converts `anyOf` and `oneOf` to `anyOf`, with what stands beside it moved into the variants. */
export class UnionConverter {
  constructor(
    private readonly parts: ConversionParts,
    private readonly flattener: SchemaFlattener,
  ) {}

  convert(start: SchemaNode, scope: Scope): JsonSchema {
    const { keywords, report, origins, visit } = this.parts;
    const node = this.withOneUnion(start);
    const keyword = node.schema.anyOf ? 'anyOf' : 'oneOf';
    const place = origins.placeOf(node, keyword);
    const { [keyword]: list, ...rest } = node.schema;
    const base = origins.derive(node, rest);
    const variants = this.variantsOf(node, keyword, list as JsonSchema[], base, scope);
    if (!variants || variants.length === 0) {
      report.fail(place, 'cannot be put together with what stands beside it');
      return visit(base, scope);
    }
    const words: string[] = [];
    if (keyword === 'oneOf' && !areDisjoint(variants.map((variant) => this.targetOf(variant)))) {
      keywords.lose(node, 'oneOf', words);
    }
    const converted = variants.map((variant) => visit(variant.node, variant.scope));
    return combine(converted, keywords.annotate(base, words));
  }

  /** `undefined` if what stands beside the union cannot be said in a variant. */
  private variantsOf(
    node: SchemaNode,
    keyword: string,
    list: readonly JsonSchema[],
    base: SchemaNode,
    scope: Scope,
  ): Variant[] | undefined {
    const { report, origins } = this.parts;
    const constraints = this.constraintsOf(base);
    const variants: Variant[] = [];
    for (const [index, schema] of list.entries()) {
      const child = origins.child(node, schema, keyword, String(index));
      if (isNever(schema)) continue;
      if (!constraints) {
        variants.push({ node: child, scope });
        continue;
      }
      const flat = this.flattener.flatten(child, scope, true);
      for (const path of flat.failures) report.fail(path, 'cannot be put together with the rest');
      const merged = mergeSchemas(constraints, flat.node, origins);
      if (merged === undefined) return undefined;
      if (merged !== 'never') variants.push({ node: merged, scope: flat.scope });
    }
    return variants;
  }

  private constraintsOf(base: SchemaNode): SchemaNode | undefined {
    if (!hasConstraints(base.schema)) return undefined;
    const entries = Object.entries(base.schema).filter(([keyword]) => isConstraint(keyword));
    return this.parts.origins.derive(base, Object.fromEntries(entries));
  }

  /** A value that must satisfy two unions at once has no form of its own. */
  private withOneUnion(node: SchemaNode): SchemaNode {
    if (!node.schema.anyOf || !node.schema.oneOf) return node;
    const { report, origins } = this.parts;
    report.fail(origins.placeOf(node, 'oneOf'), 'two unions at once');
    const { oneOf: _second, ...rest } = node.schema;
    return origins.derive(node, rest);
  }

  private targetOf({ node: { schema } }: Variant): JsonSchema {
    if (typeof schema.$ref !== 'string') return schema;
    return this.flattener.resolve(schema.$ref)?.node.schema ?? {};
  }
}

function combine(converted: readonly JsonSchema[], annotations: JsonSchema): JsonSchema {
  const flat = converted.flatMap((schema) =>
    Object.keys(schema).length === 1 && Array.isArray(schema.anyOf)
      ? (schema.anyOf as JsonSchema[])
      : [schema],
  );
  const different = [...new Map(flat.map((item) => [JSON.stringify(item), item])).values()];
  if (different.length === 1) {
    const [only] = different;
    return only.$ref === undefined || Object.keys(annotations).length === 0
      ? { ...only, ...annotations }
      : { ...annotations, anyOf: [only] };
  }
  return { ...(foldEnums(different) ?? { anyOf: different }), ...annotations };
}
