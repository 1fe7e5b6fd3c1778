import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ClassFacts, DtoProperty, NestedShape } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import { problemOf } from './value.check.js';
import { isRecord } from '../../../utils/is-record.js';

type Issue = StandardSchemaV1.Issue;
type Path = readonly string[];
type Fields = Readonly<Record<string, unknown>>;

export interface PathIssue extends Issue {
  readonly path: Path;
  /** The rules judge something else, which class-transformer made of the value. */
  readonly isConverted?: boolean;
}

/**
 * Holds plain input against what the classes show: names, types, the forms of nested objects and
 * arrays. It looks before class-transformer converts anything, and before a setter runs; class-validator
 * sees only what came out, in which "no" has become true, and lets some of it pass.
 */
export class InputCheck {
  /** What the input has and the class does not. */
  readonly unknown: PathIssue[] = [];
  readonly mismatches: PathIssue[] = [];
  /** There is something else where an object of a class should be, so that no instance can be made. */
  isUnreadable = false;

  /** @param trustsTransforms what a `@Transform()` takes may be anything */
  constructor(
    input: object,
    private readonly facts: ClassFacts,
    private readonly trustsTransforms = true,
  ) {
    this.look(input as Fields, facts, []);
  }

  private look(input: Fields, facts: ClassFacts, path: Path, discriminator?: string): void {
    for (const key of Object.keys(input)) {
      if (facts.byInputName.has(key) || key === discriminator) continue;
      this.unknown.push({ path: [...path, key], message: `property ${key} should not exist` });
    }
    for (const property of facts.properties) {
      const { inputName } = property;
      const value = Object.hasOwn(input, inputName) ? input[inputName] : undefined;
      const at = [...path, inputName];
      if (property.isTransformed && this.trustsTransforms) this.lookThrough(property, value, at);
      else this.checkProperty(property, value, at);
    }
  }

  /** What a `@Transform()` takes is known to nobody, but unknown properties stay out of its objects. */
  private lookThrough({ inner }: DtoProperty, value: unknown, path: Path): void {
    if (!inner || value === null || typeof value !== 'object') return;
    if (!Array.isArray(value)) this.enter(inner, value, path);
    else {
      for (const [index, item] of value.entries()) {
        if (isRecord(item)) this.enter(inner, item, [...path, `${index}`]);
      }
    }
  }

  private checkProperty(property: DtoProperty, value: unknown, path: Path): void {
    if (value === undefined) {
      if (property.isDemanded) this.mismatches.push({ path, message: 'is required' });
    } else if (value === null && (property.acceptsNull || !property.isChecked)) return;
    else if (!property.isArray) this.checkValue(property, value, path);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        this.checkValue(property, item, [...path, `${index}`]);
      }
    } else this.refuse(path, 'must be an array', property.inner);
  }

  private checkValue({ inner, valueCheck }: DtoProperty, value: unknown, path: Path): void {
    if (inner) {
      this.enter(inner, value, path);
      return;
    }
    const message = valueCheck && problemOf(valueCheck, value);
    if (!message) return;
    this.mismatches.push({ path, message, isConverted: valueCheck.made !== undefined });
  }

  private enter(inner: NestedShape, value: unknown, path: Path): void {
    if (!isRecord(value)) this.refuse(path, 'must be an object', inner);
    else if (inner.kind === 'class') {
      this.look(value, readClass(inner.target, this.facts.side), path);
    } else {
      const { discriminator, variants } = inner;
      const target = variants.get(value[discriminator] as string);
      if (target) this.look(value, readClass(target, this.facts.side), path, discriminator);
      else {
        const allowed = JSON.stringify([...variants.keys()]);
        this.refuse([...path, discriminator], `must be one of ${allowed}`, inner);
      }
    }
  }

  private refuse(path: Path, message: string, inner: NestedShape | undefined): void {
    if (inner) this.isUnreadable = true;
    this.mismatches.push({ path, message });
  }
}
