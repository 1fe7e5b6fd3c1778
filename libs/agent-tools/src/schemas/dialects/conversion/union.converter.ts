import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { areDisjoint } from './disjoint-variants.js';
import { foldEnums } from './enum-groups.js';
import type { Conversion } from './conversion.interface.js';
import { distinct, hasConstraints, isConstraint, isNever } from './keywords.js';
import { mergeSchemas } from './merge-schemas.js';
import type { SchemaNode } from './schema-node.js';
import type { Scope } from './schema.flattener.js';

interface Variant {
  readonly node: SchemaNode;
  readonly scope: Scope;
}

/** Converts `anyOf` and `oneOf` to `anyOf`, with what stands beside it moved into the variants. */
export class UnionConverter {
  constructor(private readonly conversion: Conversion) {}

  convert(start: SchemaNode, scope: Scope): JsonSchema {
    const { keywords, report } = this.conversion;
    const node = this.withOneUnion(start);
    const keyword = node.schema.anyOf ? 'anyOf' : 'oneOf';
    const place = node.placeOf(keyword);
    const base = node.without(keyword);
    const variants = this.variantsOf(node, keyword, base, scope);
    if (!variants || variants.length === 0) {
      report.fail(place, 'cannot be put together with what stands beside it');
      return this.conversion.convert(base, scope);
    }
    const words: string[] = [];
    if (keyword === 'oneOf' && !areDisjoint(variants.map((variant) => this.targetOf(variant)))) {
      keywords.lose(node, 'oneOf', words);
    }
    const converted = variants.map((variant) =>
      this.conversion.convert(variant.node, variant.scope),
    );
    return combine(converted, keywords.annotate(base, words));
  }

  /** `undefined` if what stands beside the union cannot be said in a variant. */
  private variantsOf(
    node: SchemaNode,
    keyword: string,
    base: SchemaNode,
    scope: Scope,
  ): Variant[] | undefined {
    const { flattener, report } = this.conversion;
    const constraints = this.constraintsOf(base);
    const variants: Variant[] = [];
    for (const [index, schema] of (node.schema[keyword] as JsonSchema[]).entries()) {
      const child = node.child(schema, keyword, String(index));
      if (isNever(schema)) continue;
      if (!constraints) {
        variants.push({ node: child, scope });
        continue;
      }
      const flat = flattener.flatten(child, scope, true);
      for (const path of flat.failures) report.fail(path, 'cannot be put together with the rest');
      const merged = mergeSchemas(constraints, flat.node);
      if (merged === undefined) return undefined;
      if (merged !== 'never') variants.push({ node: merged, scope: flat.scope });
    }
    return variants;
  }

  private constraintsOf(base: SchemaNode): SchemaNode | undefined {
    if (!hasConstraints(base.schema)) return undefined;
    const entries = Object.entries(base.schema).filter(([keyword]) => isConstraint(keyword));
    return base.derive(Object.fromEntries(entries));
  }

  /** A value that must satisfy two unions at once has no form of its own. */
  private withOneUnion(node: SchemaNode): SchemaNode {
    if (!node.schema.anyOf || !node.schema.oneOf) return node;
    this.conversion.report.fail(node.placeOf('oneOf'), 'two unions at once');
    return node.without('oneOf');
  }

  private targetOf({ node: { schema } }: Variant): JsonSchema {
    if (typeof schema.$ref !== 'string') return schema;
    return this.conversion.definitions.resolve(schema.$ref)?.node.schema ?? {};
  }
}

function combine(converted: readonly JsonSchema[], annotations: JsonSchema): JsonSchema {
  const flat = converted.flatMap((schema) =>
    Object.keys(schema).length === 1 && Array.isArray(schema.anyOf)
      ? (schema.anyOf as JsonSchema[])
      : [schema],
  );
  const different = distinct(flat);
  if (different.length === 1) {
    const [only] = different;
    return only.$ref === undefined || Object.keys(annotations).length === 0
      ? { ...only, ...annotations }
      : { ...annotations, anyOf: [only] };
  }
  return { ...(foldEnums(different) ?? { anyOf: different }), ...annotations };
}
