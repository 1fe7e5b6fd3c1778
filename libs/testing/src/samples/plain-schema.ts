import type { JsonSchema } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';

/** A schema, as it stands in another one: `true` allows all, `false` nothing. */
export type AnySchema = JsonSchema | boolean;

/** What stands at a keyword is not certain to be a schema. */
export function toSchema(value: unknown): AnySchema | undefined {
  return typeof value === 'boolean' || isRecord(value) ? value : undefined;
}

export function toSchemas(value: unknown): AnySchema[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => toSchema(item) ?? true);
}

/** The schemas at a keyword such as `properties`, by name. */
export function toEntries(value: unknown): [string, AnySchema][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([name, schema]) => [name, toSchema(schema) ?? true]);
}

export function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

export function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Equal as JSON values: the order of properties does not count. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
    );
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** Length as JSON Schema counts it: an emoji is one. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The expression of a `pattern`; undefined if it is none. */
export function toRegExp(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Many patterns have escapes that only the older syntax knows.
    }
  }
  return undefined;
}
