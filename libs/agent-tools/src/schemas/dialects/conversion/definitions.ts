import type { JsonSchema, ObjectJsonSchema } from '../../interfaces/json-schema.interface.js';
import { definitionOf, hoistDefinitions, type HoistedSchema } from './hoist-definitions.js';
import { SchemaNode } from './schema-node.js';

/** The root of a schema and its definitions. */
export class Definitions {
  readonly root: SchemaNode;
  private readonly hoisted: ReadonlyMap<string, HoistedSchema>;

  constructor(document: ObjectJsonSchema) {
    this.hoisted = hoistDefinitions(document);
    this.root = new SchemaNode(this.schemaOf('') ?? {});
  }

  /** The root's name is empty. */
  schemaOf(name: string): JsonSchema | undefined {
    return this.hoisted.get(name)?.schema;
  }

  /** All but the root. */
  named(): Map<string, JsonSchema> {
    const named = new Map<string, JsonSchema>();
    for (const [name, { schema }] of this.hoisted) if (name !== '') named.set(name, schema);
    return named;
  }

  /** The target of a reference, past references that only lead on. */
  resolve(reference: string): { readonly name: string; readonly node: SchemaNode } | undefined {
    const seen = new Set<string>();
    for (let next = reference; ;) {
      const name = definitionOf(next);
      const target = name === undefined ? undefined : this.hoisted.get(name);
      if (name === undefined || !target || seen.has(name)) return undefined;
      seen.add(name);
      const { schema, path } = target;
      if (!isBareReference(schema)) return { name, node: this.root.at(path, schema) };
      next = schema.$ref;
    }
  }
}

export function isBareReference(
  schema: JsonSchema,
): schema is JsonSchema & { readonly $ref: string } {
  return typeof schema.$ref === 'string' && Object.keys(schema).length === 1;
}
