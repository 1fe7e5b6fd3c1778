import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import type { ConversionParts } from './interfaces/conversion-parts.interface.js';
import type { SchemaNode } from './schema-node.js';
import type { Scope } from './schema.flattener.js';

/** Converts what a schema says about the items of an array. */
export class ArrayConverter {
  constructor(private readonly parts: ConversionParts) {}

  convert(node: SchemaNode, scope: Scope, words: string[]): JsonSchema {
    const { rules, report, origins, visit } = this.parts;
    const { items, prefixItems } = node.schema;
    if (Array.isArray(prefixItems) && prefixItems.length > 0) {
      return this.convertTuple(node, prefixItems as JsonSchema[], scope, words);
    }
    if (items === false) {
      report.fail(origins.placeOf(node, 'items'), 'an array that is always empty');
      return {};
    }
    if (items === undefined || items === true || Array.isArray(items)) {
      if (rules.isStrict) report.refuse(node.path, 'items without a type');
      return {};
    }
    return { items: visit(origins.child(node, items as JsonSchema, 'items'), scope) };
  }

  private convertTuple(
    node: SchemaNode,
    prefixItems: readonly JsonSchema[],
    scope: Scope,
    words: string[],
  ): JsonSchema {
    const { rules, origins, keywords, visit } = this.parts;
    const { items, maxItems } = node.schema;
    const isClosed =
      items === false || (typeof maxItems === 'number' && maxItems <= prefixItems.length);
    const converted = prefixItems.map((item, index) =>
      visit(origins.child(node, item, 'prefixItems', String(index)), scope),
    );
    const rest =
      typeof items === 'object'
        ? visit(origins.child(node, items as JsonSchema, 'items'), scope)
        : undefined;
    const limit = items === false ? this.limit(node, prefixItems.length) : {};
    if (rules.carries('prefixItems', prefixItems, ['array'])) {
      return { prefixItems: converted, ...(rest ? { items: rest } : {}), ...limit };
    }
    keywords.lose(node, 'prefixItems', words);
    if (items !== undefined) keywords.lose(node, 'items', words);
    // Without `items`, items past the described ones may be anything.
    if (!rest && !isClosed && !rules.isStrict) return {};
    return { items: unionOf(rest ? [...converted, rest] : converted), ...limit };
  }

  /** No further items is the same as at most so many. */
  private limit({ schema }: SchemaNode, length: number): JsonSchema {
    const { maxItems } = schema;
    const most = typeof maxItems === 'number' ? Math.min(maxItems, length) : length;
    return this.parts.rules.carries('maxItems', most, ['array']) ? { maxItems: most } : {};
  }
}

function unionOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((item) => [JSON.stringify(item), item])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
}
