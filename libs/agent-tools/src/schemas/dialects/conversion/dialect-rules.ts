import type { JsonSchema, ObjectJsonSchema } from '../../interfaces/json-schema.interface.js';

/** What the converter must know about a provider that takes only a part of JSON Schema. */
export interface DialectRules {
  /** Closed objects, typed values; what cannot be kept refuses instead of being dropped. */
  readonly isStrict: boolean;
  /** How a property that may be missing is said. */
  readonly optional: 'omitted' | 'nullable';
  /**
   * `inlined`: replaced by what they lead to. Recursion is allowed (`recursive`), only through
   * properties that may be missing (`optionally-recursive`), or not at all (`acyclic`).
   */
  readonly references: 'inlined' | 'recursive' | 'optionally-recursive' | 'acyclic';
  /** The JSON types that values of an `enum` may have. */
  readonly enumTypes: ReadonlySet<string>;
  /** The keywords that are taken, besides those that every provider takes. */
  readonly keywords: Readonly<Record<string, KeywordRule>>;
  /** The limits of the provider that a converted schema exceeds, in words. */
  readonly findExcess?: (schema: ObjectJsonSchema) => string[];
}

/** Whether a keyword is taken with this value on a value of these types, or what is left of it. */
type KeywordRule = (value: unknown, types: readonly string[]) => boolean | RelaxedKeyword;

export interface RelaxedKeyword {
  readonly keywords: JsonSchema;
  /** Whether that says the same. */
  readonly isExact: boolean;
}

/** Keywords that are taken with any value. */
export function taken(...keywords: readonly string[]): Record<string, KeywordRule> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, () => true]));
}

/** A keyword that is taken with some values. */
export function among(...values: readonly unknown[]): KeywordRule {
  return (value) => values.includes(value);
}

/** Whether a regular expression looks ahead or behind, which generators of text cannot do. */
export function hasLookaround(pattern: unknown): boolean {
  const bare = String(pattern)
    .replace(/\\[\s\S]/g, '')
    .replace(/\[[^\]]*\]/g, '');
  return /\(\?<?[=!]/.test(bare);
}

export function exceeds(value: number, limit: number, of: string): string[] {
  return value > limit ? [`${value} ${of}, at most ${limit} are allowed`] : [];
}
