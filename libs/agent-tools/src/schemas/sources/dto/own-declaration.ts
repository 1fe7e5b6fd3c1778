import type { Type } from '@nestjs/common';
import type { ValidatedFacts } from './class-validator.reader.js';
import { FACTORY } from './swagger-plugin.reader.js';

/**
 * Whether a class, or one that it extends, declares a property in its own text. The classes that
 * `PartialType()` and the other mapped types make only hold copies of decorators: a default that was
 * copied into the input of an update would overwrite what is stored.
 */
export function isOwnDeclaration(
  target: Type,
  property: string,
  validated: ValidatedFacts | undefined,
): boolean {
  if (validated?.isCopied) return false;
  // TypeScript writes it at a declaration; the mapped types copy it only together with a rule.
  if (Reflect.hasMetadata('design:type', target.prototype as object, property)) return true;
  for (let current: unknown = target; typeof current === 'function';) {
    const factory = Object.getOwnPropertyDescriptor(current, FACTORY);
    // The compiler plugin writes a static method; a copy is assigned, so that it is enumerable.
    if (typeof factory?.value === 'function' && !factory.enumerable) {
      if (Object.hasOwn(factory.value.call(current) as object, property)) return true;
    }
    current = Object.getPrototypeOf(current);
  }
  return false;
}
