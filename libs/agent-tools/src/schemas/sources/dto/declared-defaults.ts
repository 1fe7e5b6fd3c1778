import type { ClassFacts, DtoProperty } from './class-facts.js';
import { readClass } from './class-facts.reader.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes the function that fills in the defaults that only `@ApiProperty()` or the swagger plugin
 * declares; initial values of the class come by themselves. What comes in is never changed. A default
 * that came through `PartialType()` or another mapped type is only described, as `default: …`: in the
 * input of an update, it would overwrite what is stored.
 *
 * @param entered the classes that are reached from the root
 * @returns undefined if there are none, so that nothing need be walked at a call
 */
export function declaredDefaultsFiller(
  root: ClassFacts,
  entered: readonly ClassFacts[],
): ((value: object) => object) | undefined {
  const hasDefault = ({ properties }: ClassFacts) =>
    properties.some(({ declaredDefault }) => declaredDefault !== undefined);
  return entered.some(hasDefault) ? (value) => fill(root, value as Fields) : undefined;
}

function fill(facts: ClassFacts, value: Fields): object {
  let copy: Record<string, unknown> | undefined;
  for (const property of facts.properties) {
    const { inputName, declaredDefault } = property;
    const given = Object.hasOwn(value, inputName) ? value[inputName] : undefined;
    const filled = given === undefined ? structuredCopy(declaredDefault) : enter(property, given);
    if (filled !== given) (copy ??= { ...value })[inputName] = filled;
  }
  return copy ?? value;
}

function enter(property: DtoProperty, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item) => enter(property, item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const target = classOf(property, value as Fields);
  return target ? fill(readClass(target, 'input'), value as Fields) : value;
}

function classOf({ inner }: DtoProperty, value: Fields) {
  if (inner?.kind !== 'variants') return inner?.target;
  return inner.variants.get(String(value[inner.discriminator]));
}

/** Every call gets a default of its own: the method may change it. */
function structuredCopy(value: unknown): unknown {
  return value === null || typeof value !== 'object' ? value : JSON.parse(JSON.stringify(value));
}
