import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { describeBuiltIn, isBuiltIn } from '../built-in-type.source.js';
import { isClass } from './is-class.js';

/** What kind of value a property, or an item of an array, holds. */
export type Shape =
  | { readonly kind: 'scalar'; readonly schema: JsonSchema }
  | { readonly kind: 'class'; readonly target: Type }
  | { readonly kind: 'variants'; readonly discriminator: string; readonly variants: Variants }
  | { readonly kind: 'list'; readonly items: Shape | undefined }
  | { readonly kind: 'literal'; readonly properties: Readonly<Record<string, PropertyFacts>> }
  /** As written in OpenAPI; `$ref`s are names of the models that `owner` or its parents declare. */
  | { readonly kind: 'openapi'; readonly schema: JsonSchema; readonly owner: Type };

/** The classes of a discriminated union by the value of the discriminator. */
export type Variants = ReadonlyMap<string, Type>;

/** What one metadata source says about a property. What it does not say is left out. */
export interface PropertyFacts {
  readonly isRequired?: boolean;
  readonly isNullable?: boolean;
  readonly isArray?: boolean;
  /** Of the value, or of each item of an array. */
  readonly shape?: Shape;
  /** On the value itself, which may be an array. */
  readonly keywords?: JsonSchema;
  /** On each item of an array. */
  readonly itemKeywords?: JsonSchema;
  /** Rules that JSON Schema cannot say, in words. */
  readonly notes?: readonly string[];
}

/** The shape of a type as TypeScript's metadata names it; none if that does not tell enough. */
export function shapeOf(type: unknown): Shape | undefined {
  const schema = describeBuiltIn(type);
  if (schema) return { kind: 'scalar', schema };
  return isClass(type) && !isBuiltIn(type) ? { kind: 'class', target: type } : undefined;
}

export function isDateShape(shape: Shape | undefined): boolean {
  return shape?.kind === 'scalar' && shape.schema === describeBuiltIn(Date);
}

export function isScalar(shape: Shape | undefined, type: string): boolean {
  return shape?.kind === 'scalar' && shape.schema.type === type;
}
