import { jsonTypeOf } from '../../canonical-keywords.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { described, describeKeyword, isTold } from './constraint.describer.js';
import type { ConversionReport } from './conversion.report.js';
import type { DialectRules, RelaxedKeyword } from './dialect-rules.js';
import { concerns, isConstraint } from './keywords.js';
import type { SchemaNode } from './schema-node.js';

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
      const taken = this.ruleOn(keyword, value, types);
      if (taken === true) setTighter(result, keyword, value);
      else if (taken) this.relax(node, keyword, taken, result, words);
      else if (isConstraint(keyword) || isTold(keyword)) this.lose(node, keyword, words);
    }
    return result;
  }

  /** What stands beside a union or a reference, but for constraints. */
  annotate(node: SchemaNode, words: string[] = []): JsonSchema {
    const annotations = Object.fromEntries(
      Object.entries(node.schema).filter(([keyword]) => !isConstraint(keyword)),
    );
    const converted = this.convert(node.derive(annotations), [], words);
    return { ...converted, ...described(node.schema.description, words) };
  }

  lose(node: SchemaNode, keyword: string, words: string[]): void {
    this.report.lose(node.placeOf(keyword));
    const described = describeKeyword(keyword, node.schema);
    if (described) words.push(described);
  }

  takes(keyword: string, value: unknown, types: readonly string[]): boolean {
    return this.ruleOn(keyword, value, types) === true;
  }

  private ruleOn(
    keyword: string,
    value: unknown,
    types: readonly string[],
  ): boolean | RelaxedKeyword {
    const { keywords, enumTypes } = this.rules;
    if (keyword === 'enum') {
      return (value as unknown[]).every((item) => enumTypes.has(jsonTypeOf(item)));
    }
    return Object.hasOwn(keywords, keyword) && keywords[keyword](value, types);
  }

  private relax(
    node: SchemaNode,
    keyword: string,
    relaxed: RelaxedKeyword,
    result: Record<string, unknown>,
    words: string[],
  ): void {
    for (const [name, value] of Object.entries(relaxed.keywords)) setTighter(result, name, value);
    if (!relaxed.isExact) this.lose(node, keyword, words);
  }
}

/** A limit that another keyword was relaxed to must not replace a tighter one. */
function setTighter(result: Record<string, unknown>, keyword: string, value: unknown): void {
  const own = result[keyword];
  if (typeof own !== 'number' || typeof value !== 'number') result[keyword] = value;
  else result[keyword] = keyword.startsWith('max') ? Math.min(own, value) : Math.max(own, value);
}
