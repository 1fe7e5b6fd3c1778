import type { JsonSchema } from '../../interfaces/json-schema.interface.js';

/** What the converter must know about a provider that takes only a part of JSON Schema. */
export interface DialectRules {
  /** Closed objects, typed values; what cannot be kept refuses instead of being dropped. */
  readonly isStrict: boolean;
  /** How a property that may be missing is said. */
  readonly optional: 'omitted' | 'nullable';
  readonly references: 'kept' | 'inlined';
  /** `optional`: only through properties that may be missing. */
  readonly recursion: 'allowed' | 'optional' | 'refused';
  /** The JSON types that values of an `enum` may have. */
  readonly enumTypes: ReadonlySet<string>;
  /** Whether a keyword is taken with this value on a value of these types. */
  carries(keyword: string, value: unknown, types: readonly string[]): boolean;
  /** What is left of a keyword that is not taken; `isExact` if that says the same. */
  relax?(
    keyword: string,
    value: unknown,
    types: readonly string[],
  ): { readonly keywords: JsonSchema; readonly isExact: boolean } | undefined;
}
