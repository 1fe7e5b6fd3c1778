import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { described, describeKeyword, isTold } from './constraint.describer.js';
import type { ConversionReport } from './conversion.report.js';
import type { DialectRules } from './interfaces/dialect-rules.interface.js';
import { concerns, isConstraint, jsonTypeOf } from './keywords.js';
import type { SchemaNode, SchemaOrigins } from './schema-node.js';

/** These are converted by others, or with the schemas in them. */
const ELSEWHERE = new Set([
  'type',
  'description',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
]);

/** Keeps the keywords that the dialect takes, and puts the others into words. */
export class KeywordConverter {
  constructor(
    private readonly rules: DialectRules,
    private readonly origins: SchemaOrigins,
    private readonly report: ConversionReport,
  ) {}

  /** @param words gets what the description must say instead */
  convert(
    node: SchemaNode,
    types: readonly string[],
    words: string[],
    result: Record<string, unknown> = {},
  ): JsonSchema {
    for (const keyword of Object.keys(node.schema)) {
      const value = node.schema[keyword];
      if (value === undefined || ELSEWHERE.has(keyword) || !concerns(keyword, types)) continue;
      if (this.isKept(keyword, value, types)) setTighter(result, keyword, value);
      else if (isConstraint(keyword)) this.relax(node, keyword, types, result, words);
      else if (isTold(keyword)) this.lose(node, keyword, words);
    }
    return result;
  }

  /** What stands beside a union or a reference, but for constraints. */
  annotate(node: SchemaNode, words: string[] = []): JsonSchema {
    const annotations = Object.fromEntries(
      Object.entries(node.schema).filter(([keyword]) => !isConstraint(keyword)),
    );
    const converted = this.convert(this.origins.derive(node, annotations), [], words);
    return { ...converted, ...described(node.schema.description, words) };
  }

  lose(node: SchemaNode, keyword: string, words: string[]): void {
    this.report.lose(this.origins.placeOf(node, keyword));
    const described = describeKeyword(keyword, node.schema);
    if (described) words.push(described);
  }

  private isKept(keyword: string, value: unknown, types: readonly string[]): boolean {
    if (keyword !== 'enum') return this.rules.carries(keyword, value, types);
    return (value as unknown[]).every((item) => this.rules.enumTypes.has(jsonTypeOf(item)));
  }

  private relax(
    node: SchemaNode,
    keyword: string,
    types: readonly string[],
    result: Record<string, unknown>,
    words: string[],
  ): void {
    const relaxed = this.rules.relax?.(keyword, node.schema[keyword], types);
    for (const [name, value] of Object.entries(relaxed?.keywords ?? {})) {
      setTighter(result, name, value);
    }
    if (!relaxed?.isExact) this.lose(node, keyword, words);
  }
}

/** A limit that another keyword was relaxed to must not replace a tighter one. */
function setTighter(result: Record<string, unknown>, keyword: string, value: unknown): void {
  const own = result[keyword];
  if (typeof own !== 'number' || typeof value !== 'number') result[keyword] = value;
  else result[keyword] = keyword.startsWith('max') ? Math.min(own, value) : Math.max(own, value);
}
