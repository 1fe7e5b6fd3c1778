import type { JsonSchema, ObjectJsonSchema } from '../interfaces/json-schema.interface.js';
import { ArrayConverter } from './array.converter.js';
import { referenceTo, type CanonicalSchema } from './canonical-schema.js';
import { described } from './constraint.describer.js';
import type { ConversionReport } from './conversion.report.js';
import { groupEnum } from './enum-groups.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import { KeywordConverter } from './keyword.converter.js';
import { isNever, typesOf } from './keywords.js';
import { withNull } from './nullable-schema.js';
import { ObjectConverter } from './object.converter.js';
import { ReferenceGraph } from './reference.graph.js';
import { RootResolver } from './root.resolver.js';
import type { SchemaNode, SchemaOrigins } from './schema-node.js';
import { SchemaFlattener, type Scope } from './schema.flattener.js';
import { UnionConverter } from './union.converter.js';

const OBJECT_KEYWORDS = ['properties', 'additionalProperties', 'patternProperties', 'required'];
const ARRAY_KEYWORDS = ['items', 'prefixItems'];

/** Converts one schema to a dialect that takes only a part of JSON Schema. */
export class SchemaConverter {
  private readonly definitions = new Map<string, JsonSchema>();
  private readonly flattener: SchemaFlattener;
  private readonly keywords: KeywordConverter;
  private readonly unions: UnionConverter;
  private readonly objects: ObjectConverter;
  private readonly arrays: ArrayConverter;
  private readonly graph: ReferenceGraph;

  constructor(
    private readonly canonical: CanonicalSchema,
    private readonly rules: DialectRules,
    private readonly report: ConversionReport,
    private readonly origins: SchemaOrigins,
  ) {
    const visit = (node: SchemaNode, scope: Scope) => this.convertNode(node, scope);
    this.flattener = new SchemaFlattener(canonical, origins);
    this.graph = new ReferenceGraph(canonical, rules.recursion === 'optional');
    this.keywords = new KeywordConverter(rules, origins, report);
    const parts = { rules, origins, report, keywords: this.keywords, visit };
    this.unions = new UnionConverter(parts, this.flattener);
    this.objects = new ObjectConverter(parts);
    this.arrays = new ArrayConverter(parts);
  }

  convert(): ObjectJsonSchema {
    const scope: Scope = { definition: '', isRequired: true, inlined: [''] };
    const resolver = new RootResolver(this.flattener, this.origins, this.report);
    const root = resolver.resolve({ schema: this.canonical.root, path: '' }, scope);
    const converted = this.convertTyped(root, ['object'], scope);
    const definitions = Object.fromEntries(this.definitions);
    return {
      ...converted,
      type: 'object',
      properties: converted.properties ?? {},
      ...(this.definitions.size > 0 ? { $defs: definitions } : {}),
    };
  }

  private convertNode(start: SchemaNode, from: Scope): JsonSchema {
    const { node, scope, failures } = this.flattener.flatten(
      start,
      from,
      this.rules.references === 'inlined',
    );
    for (const path of failures) {
      this.report.fail(path, 'cannot be put together with what stands beside it');
    }
    const { schema } = node;
    if (this.rules.isStrict && isNever(schema)) {
      this.report.refuse(node.path, 'no value is valid');
      return {};
    }
    if (typeof schema.$ref === 'string') return this.convertReference(node, schema.$ref, scope);
    if (schema.anyOf || schema.oneOf) return this.unions.convert(node, scope);
    if ('enum' in schema || 'const' in schema) return this.convertEnum(node, scope);
    return this.convertValue(node, scope);
  }

  private convertReference(node: SchemaNode, ref: string, scope: Scope): JsonSchema {
    const { $ref: _ref, ...rest } = node.schema;
    const beside = this.keywords.annotate(this.origins.derive(node, rest));
    const place = this.origins.placeOf(node, '$ref');
    const target = this.flattener.resolve(ref);
    if (!target) {
      this.report.fail(place, `the reference "${ref}" leads nowhere`);
      return beside;
    }
    const { name } = target;
    const { recursion } = this.rules;
    if (recursion !== 'allowed' && this.graph.leads(name, scope.definition)) {
      if (recursion === 'refused') {
        this.report.refuse(place, 'recursion');
        return beside;
      }
      if (scope.isRequired) {
        this.report.lose(place);
        return this.convertNode(this.flattener.cut(node), scope);
      }
    }
    this.define(name, target.node);
    const reference = { $ref: name === '' ? '#' : referenceTo(name) };
    return Object.keys(beside).length === 0 ? reference : { ...beside, anyOf: [reference] };
  }

  private define(name: string, node: SchemaNode): void {
    if (name === '' || this.definitions.has(name)) return;
    // The name is taken before the content, which may refer to it.
    this.definitions.set(name, {});
    const scope = { definition: name, isRequired: true, inlined: [name] };
    this.definitions.set(name, this.convertNode(node, scope));
  }

  private convertEnum(node: SchemaNode, scope: Scope): JsonSchema {
    const { const: _const, enum: _enum, type: _type, description, ...rest } = node.schema;
    const place: [string, string] = [
      'enum',
      this.origins.placeOf(node, 'const' in node.schema ? 'const' : 'enum'),
    ];
    const groups = groupEnum(node.schema);
    if (groups.length === 0) {
      this.report.fail(place[1], 'allows no value');
      const types = typesOf(node.schema);
      return this.convertTyped(this.origins.derive(node, { ...rest, description }), types, scope);
    }
    const variants = groups.map(({ type, values }) => {
      const isWhole = type === 'null' || (type === 'boolean' && values.length === 2);
      const schema = { ...rest, ...(isWhole ? {} : { enum: values }) };
      return this.convertTyped(this.origins.derive(node, schema, [place]), [type], scope);
    });
    const isNullable = groups.at(-1)?.type === 'null';
    const [first, second] = variants;
    let result: JsonSchema = variants.length === 1 ? first : { anyOf: variants };
    if (isNullable && variants.length === 2) {
      result = this.rules.enumTypes.has('null') ? withNull(first) : { anyOf: [first, second] };
    }
    return { ...result, ...described(description, result.description ? [result.description] : []) };
  }

  private convertValue(node: SchemaNode, scope: Scope): JsonSchema {
    const { schema } = node;
    const types = typesOf(schema);
    if (!this.rules.isStrict) return this.convertTyped(node, types, scope);
    if (types.length === 0) {
      const type = schema.properties ? 'object' : schema.items || schema.prefixItems ? 'array' : '';
      if (!type) this.report.refuse(node.path, 'a value without a type');
      return this.convertTyped(node, type ? [type] : [], scope);
    }
    const others = types.filter((type) => type !== 'null');
    if (types.length === 1 || others.length === 0) return this.convertTyped(node, types, scope);
    const { description, ...rest } = schema;
    const variants = others.map((type) =>
      this.convertTyped(this.origins.derive(node, rest), [type], scope),
    );
    const union = variants.length === 1 ? variants[0] : { anyOf: variants };
    const result = others.length < types.length ? withNull(union) : union;
    return { ...result, ...described(description, result.description ? [result.description] : []) };
  }

  private convertTyped(node: SchemaNode, types: readonly string[], scope: Scope): JsonSchema {
    const { schema } = node;
    const words: string[] = [];
    const result: Record<string, unknown> = {};
    if (types.length > 0) result.type = types.length === 1 ? types[0] : types;
    this.keywords.convert(node, types, words, result);
    const speaksOf = (type: string, keywords: readonly string[]) =>
      types.length > 0 ? types.includes(type) : keywords.some((keyword) => keyword in schema);
    if (speaksOf('object', OBJECT_KEYWORDS)) {
      Object.assign(result, this.objects.convert(node, scope, words));
    }
    if (speaksOf('array', ARRAY_KEYWORDS)) {
      Object.assign(result, this.arrays.convert(node, scope, words));
    }
    return Object.assign(result, described(schema.description, words));
  }
}
