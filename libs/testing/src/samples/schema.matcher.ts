import type { JsonSchema } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import { arrayFits } from './array.matcher.js';
import { formatFits } from './format.samples.js';
import { objectFits } from './object.matcher.js';
import {
  isEqual,
  lengthOf,
  toNumber,
  toRegExp,
  toSchema,
  toSchemas,
  type AnySchema,
} from './plain-schema.js';
import type { SchemaResolver } from './schema.resolver.js';

/** Whether values fit a schema. For values of the sampler; it names no reasons. */
export class SchemaMatcher {
  /** The references that are being followed, each with its value, for those that lead to themselves. */
  private readonly active: { readonly ref: string; readonly value: unknown }[] = [];

  constructor(private readonly resolver: SchemaResolver) {}

  matches(schema: AnySchema, value: unknown): boolean {
    if (typeof schema === 'boolean') return schema;
    if (value === null && schema.nullable === true && schema.$ref === undefined) return true;
    return (
      this.hasType(schema, value) &&
      this.isListed(schema, value) &&
      this.isWithin(schema, value) &&
      this.fitsReference(schema, value) &&
      this.fitsParts(schema, value)
    );
  }

  private hasType({ type }: JsonSchema, value: unknown): boolean {
    if (type === undefined) return true;
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    const actual = typeOf(value);
    return types.includes(actual) || (types.includes('integer') && Number.isInteger(value));
  }

  private isListed(schema: JsonSchema, value: unknown): boolean {
    if ('const' in schema && !isEqual(schema.const, value)) return false;
    return !Array.isArray(schema.enum) || schema.enum.some((item) => isEqual(item, value));
  }

  private isWithin(schema: JsonSchema, value: unknown): boolean {
    if (typeof value === 'number') return numberFits(schema, value);
    if (typeof value === 'string') return stringFits(schema, value);
    const matches = (part: AnySchema, item: unknown): boolean => this.matches(part, item);
    if (Array.isArray(value)) return arrayFits(schema, value, matches);
    return !isRecord(value) || objectFits(schema, value, matches);
  }

  private fitsReference({ $ref: ref }: JsonSchema, value: unknown): boolean {
    if (typeof ref !== 'string') return true;
    const target = this.resolver.resolve(ref);
    if (target === undefined) return false;
    if (this.active.some((entry) => entry.ref === ref && entry.value === value)) return false;
    this.active.push({ ref, value });
    const fits = this.matches(target, value);
    this.active.pop();
    return fits;
  }

  private fitsParts(schema: JsonSchema, value: unknown): boolean {
    const fits = (part: AnySchema): boolean => this.matches(part, value);
    const { allOf, anyOf, oneOf, not, if: condition } = schema;
    if (!toSchemas(allOf).every(fits)) return false;
    if (Array.isArray(anyOf) && !toSchemas(anyOf).some(fits)) return false;
    if (Array.isArray(oneOf) && toSchemas(oneOf).filter(fits).length !== 1) return false;
    const excluded = toSchema(not);
    if (excluded !== undefined && fits(excluded)) return false;
    const asked = toSchema(condition);
    return asked === undefined || fits(toSchema(fits(asked) ? schema.then : schema.else) ?? true);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function numberFits(schema: JsonSchema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    Number.isFinite(value) &&
    value >= (toNumber(minimum) ?? -Infinity) &&
    value <= (toNumber(maximum) ?? Infinity) &&
    value > (toNumber(exclusiveMinimum) ?? -Infinity) &&
    value < (toNumber(exclusiveMaximum) ?? Infinity) &&
    Number.isInteger(value / (toNumber(multipleOf) ?? (value || 1)))
  );
}

function stringFits(schema: JsonSchema, value: string): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  if (typeof format === 'string' && !formatFits(format, value)) return false;
  if (typeof pattern === 'string' && toRegExp(pattern)?.test(value) !== true) return false;
  if (minLength === undefined && maxLength === undefined) return true;
  const length = lengthOf(value);
  return length >= (toNumber(minLength) ?? 0) && length <= (toNumber(maxLength) ?? Infinity);
}
