import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { Conversion } from './conversion.interface.js';
import { distinct } from './keywords.js';
import type { SchemaNode } from './schema-node.js';
import type { Scope } from './schema.flattener.js';

/** Converts what a schema says about the items of an array. */
export class ArrayConverter {
  constructor(private readonly conversion: Conversion) {}

  convert(node: SchemaNode, scope: Scope, words: string[]): JsonSchema {
    const { rules, report } = this.conversion;
    const { items, prefixItems } = node.schema;
    if (Array.isArray(prefixItems) && prefixItems.length > 0) {
      return this.convertTuple(node, prefixItems as JsonSchema[], scope, words);
    }
    if (items === false) {
      report.fail(node.placeOf('items'), 'an array that is always empty');
      return {};
    }
    if (items === undefined || items === true || Array.isArray(items)) {
      if (rules.isStrict) report.refuse(node.path, 'items without a type');
      return {};
    }
    return { items: this.conversion.convert(node.child(items as JsonSchema, 'items'), scope) };
  }

  private convertTuple(
    node: SchemaNode,
    prefixItems: readonly JsonSchema[],
    scope: Scope,
    words: string[],
  ): JsonSchema {
    const { rules, keywords } = this.conversion;
    const { items, maxItems } = node.schema;
    const isClosed =
      items === false || (typeof maxItems === 'number' && maxItems <= prefixItems.length);
    const converted = prefixItems.map((item, index) =>
      this.conversion.convert(node.child(item, 'prefixItems', String(index)), scope),
    );
    const rest =
      typeof items === 'object'
        ? this.conversion.convert(node.child(items as JsonSchema, 'items'), scope)
        : undefined;
    const limit = items === false ? this.limit(node, prefixItems.length) : {};
    if (keywords.takes('prefixItems', prefixItems, ['array'])) {
      return { prefixItems: converted, ...(rest ? { items: rest } : {}), ...limit };
    }
    keywords.lose(node, 'prefixItems', words);
    if (items !== undefined) keywords.lose(node, 'items', words);
    // Without `items`, items past the described ones may be anything.
    if (!rest && !isClosed && !rules.isStrict) return {};
    const [first, ...others] = distinct(rest ? [...converted, rest] : converted);
    return { items: others.length === 0 ? first : { anyOf: [first, ...others] }, ...limit };
  }

  /** No further items is the same as at most so many. */
  private limit({ schema }: SchemaNode, length: number): JsonSchema {
    const { maxItems } = schema;
    const most = typeof maxItems === 'number' ? Math.min(maxItems, length) : length;
    return this.conversion.keywords.takes('maxItems', most, ['array']) ? { maxItems: most } : {};
  }
}
