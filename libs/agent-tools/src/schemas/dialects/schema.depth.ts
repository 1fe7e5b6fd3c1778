import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { definitionOf } from './canonical-schema.js';
import { eachSubschema } from './subschemas.js';

/** How deeply objects and arrays are nested, references included; recursion counts once. */
export class SchemaDepth {
  private readonly depths = new Map<string, number>();

  constructor(private readonly root: JsonSchema) {}

  measure(): number {
    return this.depthOf(this.root);
  }

  private depthOf(schema: JsonSchema): number {
    const isContainer = schema.type === 'object' || schema.type === 'array';
    let deepest = typeof schema.$ref === 'string' ? this.depthOfReference(schema.$ref) : 0;
    eachSubschema(schema, (child, keyword) => {
      if (typeof child !== 'object' || keyword === '$defs') return;
      deepest = Math.max(deepest, this.depthOf(child));
    });
    return deepest + (isContainer ? 1 : 0);
  }

  private depthOfReference(ref: string): number {
    const name = definitionOf(ref) ?? '';
    const known = this.depths.get(name);
    if (known !== undefined) return known;
    this.depths.set(name, 0);
    const { $defs = {} } = this.root;
    const depth = Object.hasOwn($defs, name) ? this.depthOf($defs[name]) : 0;
    this.depths.set(name, depth);
    return depth;
  }
}
