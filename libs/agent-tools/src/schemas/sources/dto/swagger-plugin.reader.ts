import type { Type } from '@nestjs/common';
import type { OpenApiOptions } from './openapi.facts.js';

/** Where the swagger CLI plugin puts what it reads from the source text. */
export const FACTORY = '_OPENAPI_METADATA_FACTORY';

/** The options by property, those of base classes included; a class overrides its bases. */
export function readSwaggerPlugin(target: Type): ReadonlyMap<string, OpenApiOptions> {
  const options = new Map<string, OpenApiOptions>();
  for (let current = target; isClassLike(current); current = Object.getPrototypeOf(current)) {
    const factory: unknown = Object.hasOwn(current, FACTORY)
      ? (current as unknown as Record<string, unknown>)[FACTORY]
      : undefined;
    if (typeof factory !== 'function') continue;
    for (const [property, own] of Object.entries(factory.call(current) as object)) {
      if (!options.has(property)) options.set(property, own as OpenApiOptions);
    }
  }
  return options;
}

function isClassLike(value: unknown): value is Type {
  return typeof value === 'function' && value !== Function.prototype;
}
