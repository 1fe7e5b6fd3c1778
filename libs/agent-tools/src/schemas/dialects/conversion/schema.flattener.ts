import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { definitionOf, type CanonicalSchema } from './canonical-schema.js';
import { describeKeyword, described } from './constraint.describer.js';
import { hasConstraints } from './keywords.js';
import { mergeSchemas } from './merge-schemas.js';
import type { SchemaNode, SchemaOrigins } from './schema-node.js';

/** How the converter came to a schema. */
export interface Scope {
  /** The definition that is being converted; empty for the root. */
  readonly definition: string;
  /** Whether no property that may be missing lies between. */
  readonly isRequired: boolean;
  /** The definitions whose content was copied on the way. */
  readonly inlined: readonly string[];
}

export interface Flattened {
  readonly node: SchemaNode;
  readonly scope: Scope;
  /** Places of keywords that one schema could not say together with the others. */
  readonly failures: readonly string[];
}

/** Definitions that refer to each other many times over would grow without end. */
const MAX_COPIES = 500;

/** Follows references, and puts `allOf` and what stands beside a `$ref` together to one schema. */
export class SchemaFlattener {
  private copies = 0;

  constructor(
    private readonly canonical: CanonicalSchema,
    private readonly origins: SchemaOrigins,
  ) {}

  /** The target of a canonical `$ref`, past references that only lead on. */
  resolve(ref: string): { readonly name: string; readonly node: SchemaNode } | undefined {
    const seen = new Set<string>();
    for (let next = ref; ;) {
      const name = definitionOf(next);
      if (name === undefined || seen.has(name)) return undefined;
      seen.add(name);
      const schema = name === '' ? this.canonical.root : this.canonical.definitions.get(name);
      if (!schema) return undefined;
      const isAlias = typeof schema.$ref === 'string' && Object.keys(schema).length === 1;
      if (!isAlias) return { name, node: { schema, path: this.canonical.paths.get(name) ?? '' } };
      next = String(schema.$ref);
    }
  }

  /** @param copies whether a reference alone is replaced by a copy of its target */
  flatten(node: SchemaNode, scope: Scope, copies: boolean): Flattened {
    const { schema } = node;
    const { $ref, allOf, ...rest } = schema;
    if ($ref === undefined && !Array.isArray(allOf)) return { node, scope, failures: [] };
    const isAlone = !hasConstraints(rest);
    const isReference = $ref !== undefined && allOf === undefined;
    if (isReference && isAlone && !copies) return { node, scope, failures: [] };

    const parts = this.partsOf(node);
    const [only] = parts;
    if (!copies && isAlone && parts.length === 1 && isBareReference(only.schema)) {
      const alone = { ...only.schema, ...rest };
      const place: [string, string] = ['$ref', this.origins.placeOf(only, '$ref')];
      return { node: this.origins.derive(node, alone, [place]), scope, failures: [] };
    }
    return this.mergeAll(node, rest, parts, scope);
  }

  private mergeAll(
    node: SchemaNode,
    rest: JsonSchema,
    parts: readonly SchemaNode[],
    start: Scope,
  ): Flattened {
    let current = this.origins.derive(node, rest);
    let scope = start;
    const failures: string[] = [];
    for (const part of parts) {
      const inlined = this.inline(part, scope);
      const flat = inlined && this.flatten(inlined.node, inlined.scope, true);
      const merged = flat && mergeSchemas(current, flat.node, this.origins);
      if (merged === undefined) {
        failures.push(part.path);
        current = this.tell(current, part.schema);
        continue;
      }
      if (flat) {
        scope = flat.scope;
        failures.push(...flat.failures);
      }
      current =
        merged === 'never' ? this.origins.derive(node, { not: {} }, [['not', part.path]]) : merged;
    }
    return { node: current, scope, failures };
  }

  /** What is left of a reference that cannot be followed: the type, and words for the rest. */
  cut(node: SchemaNode): SchemaNode {
    const { $ref, ...rest } = node.schema;
    return this.tell(this.origins.derive(node, rest), { $ref });
  }

  /** A part itself, or what it refers to; undefined for a definition within itself. */
  private inline(
    part: SchemaNode,
    scope: Scope,
  ): { readonly node: SchemaNode; readonly scope: Scope } | undefined {
    if (!isBareReference(part.schema)) return { node: part, scope };
    const target = this.resolve(part.schema.$ref);
    if (!target || scope.inlined.includes(target.name) || this.copies >= MAX_COPIES) {
      return undefined;
    }
    this.copies++;
    return { node: target.node, scope: { ...scope, inlined: [...scope.inlined, target.name] } };
  }

  private partsOf(node: SchemaNode): SchemaNode[] {
    const { $ref, allOf } = node.schema;
    const parts: SchemaNode[] = [];
    if ($ref !== undefined) {
      parts.push({ schema: { $ref }, path: this.origins.placeOf(node, '$ref') });
    }
    for (const [index, part] of ((allOf ?? []) as readonly JsonSchema[]).entries()) {
      parts.push(this.origins.child(node, part, 'allOf', String(index)));
    }
    return parts;
  }

  private tell(node: SchemaNode, part: JsonSchema): SchemaNode {
    const target = isBareReference(part) ? this.resolve(part.$ref) : undefined;
    const words = target
      ? `same structure as ${target.name === '' ? 'the whole input' : `"${target.name}"`}`
      : describeKeyword('allOf', { allOf: [part] });
    const { type = target?.node.schema.type, description, ...rest } = node.schema;
    return this.origins.derive(node, {
      ...rest,
      ...(type === undefined ? {} : { type }),
      ...described(description, words ? [words] : []),
    });
  }
}

export function isBareReference(
  schema: JsonSchema,
): schema is JsonSchema & { readonly $ref: string } {
  return typeof schema.$ref === 'string' && Object.keys(schema).length === 1;
}
