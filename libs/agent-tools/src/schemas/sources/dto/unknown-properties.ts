import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ClassFacts, NestedShape } from './class-facts.js';
import { readClass } from './class-facts.reader.js';

type Path = readonly string[];

/**
 * Finds what the input has and the class does not, in nested classes, too. It looks in the input
 * and not, as class-validator's `whitelist` does, in the instance, which also has the properties
 * that the class sets for itself.
 */
export class UnknownProperties {
  readonly issues: StandardSchemaV1.Issue[] = [];
  /** A value that is of none of its variants, so that no instance can be made of it. */
  hasUnknownVariant = false;

  constructor(input: object, facts: ClassFacts) {
    this.look(input, facts, []);
  }

  private look(input: object, facts: ClassFacts, path: Path, discriminator?: string): void {
    for (const [key, value] of Object.entries(input)) {
      const property = facts.byInputName.get(key);
      if (property?.nested) this.enter(value, property.nested, [...path, key]);
      else if (!property && key !== discriminator) {
        this.issues.push({ path: [...path, key], message: `property ${key} should not exist` });
      }
    }
  }

  private enter(value: unknown, nested: NestedShape, path: Path): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        // class-transformer looks for the discriminator in each item.
        if (item === null && nested.kind === 'variants') this.refuse([...path, `${index}`]);
        else this.enter(item, nested, [...path, `${index}`]);
      }
    } else if (nested.kind === 'variants') this.enterVariant(value, nested, path);
    else if (isObject(value)) this.look(value, readClass(nested.target), path);
  }

  private enterVariant(
    value: unknown,
    { discriminator, variants }: Extract<NestedShape, { kind: 'variants' }>,
    path: Path,
  ): void {
    // Whether it may be missing or null is for the rules to say.
    if (value === undefined || value === null) return;
    const variant = isObject(value) ? value[discriminator] : undefined;
    const target = variants.get(variant as string);
    if (target && isObject(value)) {
      this.look(value, readClass(target), path, discriminator);
      return;
    }
    if (!isObject(value)) this.refuse(path);
    else {
      const allowed = JSON.stringify([...variants.keys()]);
      this.refuse([...path, discriminator], `must be one of ${allowed}`);
    }
  }

  private refuse(path: Path, message = 'must be an object'): void {
    this.hasUnknownVariant = true;
    this.issues.push({ path, message });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
