import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { describeKeyword, described } from './constraint.describer.js';
import { isBareReference, type Definitions } from './definitions.js';
import { hasConstraints } from './keywords.js';
import { mergeSchemas } from './merge-schemas.js';
import type { SchemaNode } from './schema-node.js';

/** How the converter came to a schema. */
export interface Scope {
  /** The definition that is being converted; empty for the root. */
  readonly definition: string;
  /** Whether no property that may be missing lies between. */
  readonly isRequired: boolean;
  /** The definitions whose content was copied on the way. */
  readonly inlined: readonly string[];
}

export const ROOT_SCOPE: Scope = { definition: '', isRequired: true, inlined: [''] };

interface Flattened {
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

  constructor(private readonly definitions: Definitions) {}

  /** @param copies whether a reference alone is replaced by a copy of its target */
  flatten(node: SchemaNode, scope: Scope, copies: boolean): Flattened {
    const { $ref, allOf } = node.schema;
    if ($ref === undefined && !Array.isArray(allOf)) return { node, scope, failures: [] };
    const { $ref: _ref, allOf: _allOf, ...rest } = node.schema;
    const isAlone = !hasConstraints(rest);
    const isReference = $ref !== undefined && allOf === undefined;
    if (isReference && isAlone && !copies) return { node, scope, failures: [] };

    const parts = this.partsOf(node);
    const [only] = parts;
    if (!copies && isAlone && parts.length === 1 && isBareReference(only.schema)) {
      const alone = { ...only.schema, ...rest };
      const place: [string, string] = ['$ref', only.placeOf('$ref')];
      return { node: node.derive(alone, [place]), scope, failures: [] };
    }
    return this.mergeAll(node, rest, parts, scope);
  }

  private mergeAll(
    node: SchemaNode,
    rest: JsonSchema,
    parts: readonly SchemaNode[],
    start: Scope,
  ): Flattened {
    let current = node.derive(rest);
    let scope = start;
    const failures: string[] = [];
    for (const part of parts) {
      const inlined = this.inline(part, scope);
      const flat = inlined && this.flatten(inlined.node, inlined.scope, true);
      const merged = flat && mergeSchemas(current, flat.node);
      if (merged === undefined) {
        failures.push(part.path);
        current = this.tell(current, part.schema);
        continue;
      }
      if (flat) {
        scope = flat.scope;
        failures.push(...flat.failures);
      }
      current = merged === 'never' ? node.derive({ not: {} }, [['not', part.path]]) : merged;
    }
    return { node: current, scope, failures };
  }

  /** What is left of a reference that cannot be followed: the type, and words for the rest. */
  cut(node: SchemaNode): SchemaNode {
    return this.tell(node.without('$ref'), { $ref: node.schema.$ref });
  }

  /** A part itself, or what it refers to; undefined for a definition within itself. */
  private inline(
    part: SchemaNode,
    scope: Scope,
  ): { readonly node: SchemaNode; readonly scope: Scope } | undefined {
    if (!isBareReference(part.schema)) return { node: part, scope };
    const target = this.definitions.resolve(part.schema.$ref);
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
      parts.push(node.child({ $ref }, '$ref'));
    }
    for (const [index, part] of ((allOf ?? []) as readonly JsonSchema[]).entries()) {
      parts.push(node.child(part, 'allOf', String(index)));
    }
    return parts;
  }

  private tell(node: SchemaNode, part: JsonSchema): SchemaNode {
    const target = isBareReference(part) ? this.definitions.resolve(part.$ref) : undefined;
    const words = target
      ? `same structure as ${target.name === '' ? 'the whole input' : `"${target.name}"`}`
      : describeKeyword('allOf', { allOf: [part] });
    const { type = target?.node.schema.type, description, ...rest } = node.schema;
    return node.derive({
      ...rest,
      ...(type === undefined ? {} : { type }),
      ...described(description, words ? [words] : []),
    });
  }
}
