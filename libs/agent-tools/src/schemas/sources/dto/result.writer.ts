import type { Type } from '@nestjs/common';
import type { ClassFacts, DtoProperty } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import { isRecord } from '../../../utils/is-record.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The instance that class-validator checks and class-transformer writes. Only values are put into it: no
 * setter runs.
 *
 * @param source has what is not shown, which rules and transforms may look at
 */
export function instanceFrom(plain: object, facts: ClassFacts, source?: object): object {
  const instance = emptyInstance(facts.target, source);
  const put = (key: string, value: unknown) =>
    Object.defineProperty(instance, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  for (const [key, value] of Object.entries(source ?? {})) {
    if (value === null || typeof value !== 'object') put(key, value);
  }
  for (const property of facts.properties) {
    const value = (plain as Fields)[property.inputName];
    if (value === undefined) continue;
    put(
      property.name,
      eachValue(value, (item) => made(property, item, facts)),
    );
  }
  return instance;
}

/** What of a written instance is shown. */
export function shownOf(written: unknown, facts: ClassFacts): unknown {
  if (!isRecord(written)) return written;
  const shown: Record<string, unknown> = {};
  for (const property of facts.properties) {
    const value = written[property.inputName];
    if (value === undefined) continue;
    shown[property.inputName] = eachValue(value, (item) => {
      const target = targetOf(property, item);
      if (!target || !isRecord(item)) return item;
      const { inner } = property;
      const tag = inner?.kind === 'variants' ? inner.discriminator : undefined;
      const inside = shownOf(item, readClass(target, facts.side)) as Fields;
      return tag === undefined ? inside : { [tag]: item[tag], ...inside };
    });
  }
  return shown;
}

/** With the initial values that the description shows as defaults, unless it had its own instance. */
function emptyInstance(target: Type<object>, source: object | undefined): object {
  if (!(source instanceof target)) {
    try {
      return new target();
    } catch {
      // A class of results need not be made without arguments.
    }
  }
  return Object.create(target.prototype as object) as object;
}

function made(property: DtoProperty, value: unknown, facts: ClassFacts): unknown {
  const target = targetOf(property, value);
  if (target && isRecord(value)) return instanceFrom(value, readClass(target, facts.side));
  const isDate = property.valueCheck?.made === 'date' && !property.isTransformed;
  return isDate && typeof value === 'string' ? new Date(value) : value;
}

function targetOf({ inner }: DtoProperty, value: unknown): Type | undefined {
  if (inner?.kind !== 'variants') return inner?.target;
  return isRecord(value) ? inner.variants.get(value[inner.discriminator] as string) : undefined;
}

function eachValue(value: unknown, map: (item: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : map(value);
}
