import { isDeepStrictEqual } from 'node:util';
import { hasParts, typeOf, type SchemaShape } from './schema-shape.js';
import { isRecord } from '../../utils/is-record.js';

type Fields = Readonly<Record<string, unknown>>;
type Memo = Map<SchemaShape, WeakMap<object, boolean>>;

/** Whether a value has the shape of a schema: types, values, required and known properties. */
export function accepts(shape: SchemaShape, value: unknown): boolean {
  return new ShapeMatcher().accepts(shape, value);
}

/**
 * Matches the values of one call. Nested unions are asked again and again for the same values, so what
 * they answered is kept: without that, each level of nesting would multiply the work.
 */
export class ShapeMatcher {
  private memo?: Memo;

  accepts(shape: SchemaShape, value: unknown): boolean {
    if ((shape.types & typeOf(value)) === 0) return false;
    if (value === '' && shape.refusesEmptyText) return false;
    if (shape.values && !shape.values.some((one) => isDeepStrictEqual(one, value))) return false;
    // The values of discriminators tell the branches of a union apart before anything else is looked at.
    if (isRecord(value) && !fitsAtFirstSight(shape, value)) return false;
    if (!hasParts(shape) || value === null || typeof value !== 'object') {
      return this.matches(shape, value);
    }
    this.memo ??= new Map();
    let known = this.memo.get(shape);
    if (!known) this.memo.set(shape, (known = new WeakMap()));
    const answer = known.get(value) ?? this.matches(shape, value);
    known.set(value, answer);
    return answer;
  }

  private matches(
    { all, branches, items, prefix, properties, additional }: SchemaShape,
    value: unknown,
  ): boolean {
    if (all?.every((one) => this.accepts(one, value)) === false) return false;
    if (branches?.some((branch) => this.accepts(branch, value)) === false) return false;
    if (Array.isArray(value)) {
      return value.every((item, index) => {
        const shape = prefix?.[index] ?? items;
        return !shape || this.accepts(shape, item);
      });
    }
    if (!isRecord(value) || !properties) return true;
    return Object.keys(value).every((key) => {
      const shape = properties.get(key) ?? additional;
      return shape !== undefined && this.accepts(shape, value[key]);
    });
  }
}

function fitsAtFirstSight(
  { properties, required, additional }: SchemaShape,
  value: Fields,
): boolean {
  if (!properties) return true;
  for (const name of required ?? []) if (!Object.hasOwn(value, name)) return false;
  return Object.keys(value).every((key) => {
    const shape = properties.get(key);
    if (!shape) return additional !== undefined;
    return !shape.values || shape.values.some((one) => isDeepStrictEqual(one, value[key]));
  });
}
