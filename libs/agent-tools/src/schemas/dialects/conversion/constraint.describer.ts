import { cutText } from '../../../utils/cut-text.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';

/** A longer one costs more tokens than it helps. */
const MAX_PATTERN = 120;
const MAX_JSON = 200;

type Words = (value: never, schema: JsonSchema) => string | undefined;

const WORDS: Readonly<Record<string, Words>> = {
  minLength: (value: number) => `at least ${count(value, 'character')}`,
  maxLength: (value: number) => `at most ${count(value, 'character')}`,
  minimum: (value: number) => `at least ${value}`,
  maximum: (value: number) => `at most ${value}`,
  exclusiveMinimum: (value: number) => `greater than ${value}`,
  exclusiveMaximum: (value: number) => `less than ${value}`,
  multipleOf: (value: number) => `a multiple of ${value}`,
  minItems: (value: number) => `at least ${count(value, 'item')}`,
  maxItems: (value: number) => `at most ${count(value, 'item')}`,
  uniqueItems: (value: boolean) => (value ? 'no duplicate items' : undefined),
  contains: (value: JsonSchema) => `some item is ${json(value)}`,
  prefixItems: (value: readonly JsonSchema[]) =>
    `items in this order: ${value.map(json).join(', ')}`,
  minProperties: (value: number) => `at least ${count(value, 'property', 'properties')}`,
  maxProperties: (value: number) => `at most ${count(value, 'property', 'properties')}`,
  propertyNames: (value: JsonSchema) => `names of properties are ${json(value)}`,
  patternProperties: (value: JsonSchema) => `properties by pattern of their names: ${json(value)}`,
  dependentRequired: (value: Record<string, readonly string[]>) =>
    Object.entries(value)
      .map(
        ([name, others]) => `with "${name}" also ${others.map((other) => `"${other}"`).join(', ')}`,
      )
      .join('; ') || undefined,
  // zod writes an expression of 500 characters beside some formats, which say the same shorter.
  pattern: (value: string, { format }) =>
    value.length > MAX_PATTERN || format !== undefined ? undefined : `matches the pattern ${value}`,
  format: (value: string) => `in the format "${value}"`,
  enum: (value: readonly unknown[]) => `one of ${value.map(json).join(', ')}`,
  const: (value: unknown) => `always ${json(value)}`,
  not: (value: JsonSchema) => (Object.keys(value).length > 0 ? `not ${json(value)}` : undefined),
  if: (value: JsonSchema, { then, else: other }) =>
    `if ${json(value)}` +
    (then === undefined ? '' : ` then ${json(then)}`) +
    (other === undefined ? '' : ` else ${json(other)}`),
  oneOf: () => 'exactly one of the variants',
  allOf: (value: readonly JsonSchema[]) => `also ${value.map(json).join(' and ')}`,
  additionalProperties: (value: boolean | JsonSchema) =>
    typeof value === 'object' ? `other properties are ${json(value)}` : undefined,
  default: (value: unknown) => `default: ${json(value)}`,
  examples: (value: readonly unknown[]) => `for example: ${value.map(json).join(', ')}`,
};

/** Annotations that mean something to a model as well. */
const TOLD_ANNOTATIONS = new Set(['default', 'examples']);

/** A keyword in words that a model understands; undefined if there are none worth their length. */
export function describeKeyword(keyword: string, schema: JsonSchema): string | undefined {
  if (!Object.hasOwn(WORDS, keyword)) return undefined;
  return WORDS[keyword](schema[keyword] as never, schema);
}

export function isTold(keyword: string): boolean {
  return TOLD_ANNOTATIONS.has(keyword);
}

/** A description with words added, if there is anything to say. */
export function described(description: string | undefined, words: readonly string[]): JsonSchema {
  const added = words.length > 1 ? [...new Set(words)].join('; ') : words[0];
  if (!added) return description === undefined ? {} : { description };
  return { description: description ? `${description} (${added})` : added };
}

function count(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}

function json(value: unknown): string {
  return cutText(JSON.stringify(value) ?? '', MAX_JSON);
}
