import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { ArrayConverter } from './array.converter.js';
import { described } from './constraint.describer.js';
import type { Conversion } from './conversion.interface.js';
import type { ConversionReport } from './conversion.report.js';
import { groupEnum } from './enum-groups.js';
import type { Definitions } from './definitions.js';
import type { DialectRules } from './dialect-rules.js';
import { KeywordConverter } from './keyword.converter.js';
import { referenceTo } from './hoist-definitions.js';
import { isNever, typesOf } from './keywords.js';
import { withNull } from './nullable-schema.js';
import { ObjectConverter } from './object.converter.js';
import { ReferenceGraph } from './reference.graph.js';
import { RootResolver } from './root.resolver.js';
import type { SchemaNode } from './schema-node.js';
import { ROOT_SCOPE, SchemaFlattener, type Scope } from './schema.flattener.js';
import { UnionConverter } from './union.converter.js';

const OBJECT_KEYWORDS = ['properties', 'additionalProperties', 'patternProperties', 'required'];
const ARRAY_KEYWORDS = ['items', 'prefixItems'];

/** Converts one schema to a dialect that takes only a part of JSON Schema. */
export class SchemaConverter implements Conversion {
  /** Those that the converted schema refers to. */
  readonly converted = new Map<string, JsonSchema>();
  readonly keywords: KeywordConverter;
  readonly flattener: SchemaFlattener;
  private readonly graph: ReferenceGraph;
  private readonly unions = new UnionConverter(this);
  private readonly objects = new ObjectConverter(this);
  private readonly arrays = new ArrayConverter(this);

  constructor(
    readonly definitions: Definitions,
    readonly rules: DialectRules,
    readonly report: ConversionReport,
  ) {
    this.keywords = new KeywordConverter(rules, report);
    this.flattener = new SchemaFlattener(definitions);
    this.graph = new ReferenceGraph(definitions, rules.references === 'optionally-recursive');
  }

  convertRoot(): JsonSchema {
    const resolver = new RootResolver(this.flattener, this.report);
    const root = resolver.resolve(this.definitions.root, ROOT_SCOPE);
    return this.convertTyped(root, ['object'], ROOT_SCOPE);
  }

  convert(start: SchemaNode, from: Scope): JsonSchema {
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
    const beside = this.keywords.annotate(node.without('$ref'));
    const place = node.placeOf('$ref');
    const target = this.definitions.resolve(ref);
    if (!target) {
      this.report.fail(place, `the reference "${ref}" leads nowhere`);
      return beside;
    }
    const { name } = target;
    const { references } = this.rules;
    if (references !== 'recursive' && this.graph.leads(name, scope.definition)) {
      if (references === 'acyclic') {
        this.report.refuse(place, 'recursion');
        return beside;
      }
      if (scope.isRequired) {
        this.report.lose(place);
        return this.convert(this.flattener.cut(node), scope);
      }
    }
    this.define(name, target.node);
    const reference = { $ref: referenceTo(name) };
    return Object.keys(beside).length === 0 ? reference : { ...beside, anyOf: [reference] };
  }

  private define(name: string, node: SchemaNode): void {
    if (name === '' || this.converted.has(name)) return;
    // The name is taken before the content, which may refer to it.
    this.converted.set(name, {});
    const scope = { definition: name, isRequired: true, inlined: [name] };
    this.converted.set(name, this.convert(node, scope));
  }

  private convertEnum(node: SchemaNode, scope: Scope): JsonSchema {
    const { const: _const, enum: _enum, type: _type, description, ...rest } = node.schema;
    const place: [string, string] = [
      'enum',
      node.placeOf('const' in node.schema ? 'const' : 'enum'),
    ];
    const groups = groupEnum(node.schema);
    if (groups.length === 0) {
      this.report.fail(place[1], 'allows no value');
      const types = typesOf(node.schema);
      return this.convertTyped(node.derive({ ...rest, description }), types, scope);
    }
    const variants = groups.map(({ type, values }) => {
      const isWhole = type === 'null' || (type === 'boolean' && values.length === 2);
      const schema = { ...rest, ...(isWhole ? {} : { enum: values }) };
      return this.convertTyped(node.derive(schema, [place]), [type], scope);
    });
    const isNullable = groups.at(-1)?.type === 'null';
    const [first, second] = variants;
    let result: JsonSchema = variants.length === 1 ? first : { anyOf: variants };
    if (isNullable && variants.length === 2) {
      result = this.rules.enumTypes.has('null') ? withNull(first) : { anyOf: [first, second] };
    }
    return withDescription(result, description);
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
    const variants = others.map((type) => this.convertTyped(node.derive(rest), [type], scope));
    const union = variants.length === 1 ? variants[0] : { anyOf: variants };
    const result = others.length < types.length ? withNull(union) : union;
    return withDescription(result, description);
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

/** The description of the whole stands before what was said of its only variant. */
function withDescription(schema: JsonSchema, description: string | undefined): JsonSchema {
  return { ...schema, ...described(description, schema.description ? [schema.description] : []) };
}
