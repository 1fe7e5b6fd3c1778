import type { ClassFacts, DtoProperty, NestedShape } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import { isDateShape } from './property-facts.js';

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A result that holds itself, which JSON cannot write. */
export class CircularResult extends Error {
  constructor(readonly path: Path) {
    super('A result holds itself.');
  }
}

/**
 * A result in the form that its class describes: only what is shown, by the names that are shown, with
 * dates as texts. What is undefined is left out.
 *
 * @throws CircularResult
 */
export function readResult(
  value: object,
  facts: ClassFacts,
  path: Path = [],
  parents: readonly object[] = [],
): Record<string, unknown> {
  if (parents.includes(value)) throw new CircularResult(path);
  const inside = [...parents, value];
  const plain: Record<string, unknown> = {};
  for (const property of facts.properties) {
    const own = valueOf(value as Fields, property, facts);
    if (own === undefined) continue;
    const { inputName } = property;
    const at = [...path, inputName];
    const read = (one: unknown, place: Path) => readValue(one, property, facts, place, inside);
    plain[inputName] =
      property.isArray && (Array.isArray(own) || own instanceof Set)
        ? Array.from(own as Iterable<unknown>, (item, index) => read(item, [...at, `${index}`]))
        : read(own, at);
  }
  return plain;
}

/** An instance of the class has its names; another object may have those that are shown. */
function valueOf(value: Fields, { name, inputName }: DtoProperty, { target }: ClassFacts): unknown {
  if (!(value instanceof target) && Object.hasOwn(value, inputName)) return value[inputName];
  const own = value[name];
  return own === (Object.prototype as unknown as Fields)[name] ? undefined : own;
}

function readValue(
  value: unknown,
  { inner, shape, isTransformed }: DtoProperty,
  { side }: ClassFacts,
  path: Path,
  parents: readonly object[],
): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (inner) {
    if (Array.isArray(value)) return value;
    const [target, tag] = classOf(inner, value as Fields);
    if (!target) return tag;
    return { ...tag, ...readResult(value, readClass(target, side), path, parents) };
  }
  // What a `@Transform()` of results takes is known to nobody.
  if (isTransformed) return value;
  if (shape?.kind !== 'scalar') return withTexts(value, path, parents);
  const isDate = isDateShape(shape) || shape.schema.format === 'date-time';
  return isDate ? textOf(value) : value;
}

/** With the property by which the class is told from its siblings, which an instance may lack. */
function classOf(inner: NestedShape, value: Fields) {
  if (inner.kind === 'class') return [inner.target, {}] as const;
  const { discriminator, variants } = inner;
  const made = [...variants].find(([, target]) => value.constructor === target);
  const tag = made?.[0] ?? value[discriminator];
  return [variants.get(tag as string), { [discriminator]: tag }] as const;
}

/** What no class describes, as JSON has it. */
function withTexts(value: unknown, path: Path, parents: readonly object[]): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return textOf(value);
  if (parents.includes(value)) throw new CircularResult(path);
  const inside = [...parents, value];
  if (Array.isArray(value)) return value.map((item) => withTexts(item, path, inside));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withTexts(item, path, inside)]));
}

function textOf(value: object): unknown {
  const isDate = value instanceof Date && !Number.isNaN(value.getTime());
  return isDate ? value.toISOString() : value;
}
