import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { Conversion } from './conversion.interface.js';
import { isNever } from './keywords.js';
import { withNull } from './nullable-schema.js';
import type { SchemaNode } from './schema-node.js';
import type { Scope } from './schema.flattener.js';

const FREE_KEYS = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'];

/** Converts what a schema says about an object. */
export class ObjectConverter {
  constructor(private readonly conversion: Conversion) {}

  convert(node: SchemaNode, scope: Scope, words: string[]): JsonSchema {
    const { rules } = this.conversion;
    const { required = [], properties } = node.schema;
    if (rules.isStrict) this.refuseOpen(node);
    const additional = rules.isStrict
      ? { additionalProperties: false }
      : this.convertAdditional(node, scope, words);
    const converted = this.convertProperties(node, scope, additional);
    const named = this.requiredOf(node, converted, words);
    const names = rules.optional === 'nullable' ? [...converted.keys()] : named;
    const result: Record<string, unknown> = {};
    if (properties || rules.isStrict) result.properties = Object.fromEntries(converted);
    if (names.length > 0 || rules.optional === 'nullable' || required.length > 0) {
      result.required = names;
    }
    return Object.assign(result, additional);
  }

  private convertProperties(
    node: SchemaNode,
    scope: Scope,
    { additionalProperties }: JsonSchema,
  ): Map<string, JsonSchema> {
    const { rules, report } = this.conversion;
    const { properties = {}, required = [] } = node.schema;
    const names = new Set(required);
    const converted = new Map<string, JsonSchema>();
    for (const [name, schema] of Object.entries(properties)) {
      const child = node.child(schema, 'properties', name);
      const isRequired = names.has(name);
      if (isNever(schema) && !(rules.isStrict && isRequired)) {
        if (additionalProperties !== false) report.lose(child.path);
        continue;
      }
      const inside = isRequired ? scope : { ...scope, isRequired: false };
      const value = this.conversion.convert(child, inside);
      const isNullable = rules.optional === 'nullable' && !isRequired;
      converted.set(name, isNullable ? withNull(value) : value);
    }
    return converted;
  }

  /** Names that are required without being described are refused by some providers. */
  private requiredOf(
    node: SchemaNode,
    converted: ReadonlyMap<string, JsonSchema>,
    words: string[],
  ): string[] {
    const { required = [] } = node.schema;
    const missing = required.filter((name) => !converted.has(name));
    if (missing.length > 0) {
      const list = missing.map((name) => `"${name}"`).join(', ');
      this.conversion.report.fail(node.placeOf('required'), `${list} required, but not described`);
      words.push(`${list} required`);
    }
    return [...new Set(required)].filter((name) => converted.has(name));
  }

  private refuseOpen(node: SchemaNode): void {
    const { report } = this.conversion;
    const { schema } = node;
    for (const keyword of FREE_KEYS) {
      const value = schema[keyword];
      if (value === undefined || value === false || isNever(value as JsonSchema)) continue;
      report.refuse(node.placeOf(keyword), 'an object with free keys');
    }
    const isNamed = schema.properties ?? schema.additionalProperties !== undefined;
    if (!isNamed) report.refuse(node.path, 'an object without named properties');
  }

  private convertAdditional(node: SchemaNode, scope: Scope, words: string[]): JsonSchema {
    const { keywords } = this.conversion;
    const { additionalProperties, patternProperties, unevaluatedProperties } = node.schema;
    if (unevaluatedProperties !== undefined) keywords.lose(node, 'unevaluatedProperties', words);
    if (patternProperties !== undefined) keywords.lose(node, 'patternProperties', words);
    if (additionalProperties === undefined || additionalProperties === true) return {};
    // Without the patterns beside it, it would forbid what they allow.
    const isKept =
      patternProperties === undefined &&
      keywords.takes('additionalProperties', additionalProperties, ['object']);
    if (!isKept) {
      keywords.lose(node, 'additionalProperties', words);
      return {};
    }
    if (additionalProperties === false) return { additionalProperties };
    const child = node.child(additionalProperties, 'additionalProperties');
    return {
      additionalProperties: this.conversion.convert(child, { ...scope, isRequired: false }),
    };
  }
}
