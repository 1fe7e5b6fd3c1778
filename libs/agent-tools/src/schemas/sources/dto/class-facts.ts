import type { Type } from '@nestjs/common';
import type { PropertyFacts, Shape } from './property-facts.js';

/** Everything known about one property that the model may set, all sources merged. */
export interface DtoProperty extends Omit<PropertyFacts, 'isRequired' | 'isArray'> {
  readonly name: string;
  /** The key in the input, which `@Expose({ name })` may set. */
  readonly inputName: string;
  readonly isRequired: boolean;
  readonly isArray: boolean;
  readonly default?: unknown;
  /** A default that is no initial value of the class, so that it must be filled in. */
  readonly declaredDefault?: unknown;
  /** class-validator has a rule for the value; if not, the described schema is what checks it. */
  readonly isChecked: boolean;
  readonly allowsNull: boolean;
  /** The class whose own rules class-validator applies to the value. */
  readonly nested?: NestedShape;
  /** What class-transformer must be told to make, where no `@Type()` tells it. */
  readonly conversion?: Type;
  /** What TypeScript's metadata says, for a message. */
  readonly designType: unknown;
  readonly isTransformed: boolean;
}

export type NestedShape = Extract<Shape, { kind: 'class' | 'variants' }>;

export interface ClassFacts {
  readonly target: Type;
  readonly description?: string;
  readonly properties: readonly DtoProperty[];
  readonly byInputName: ReadonlyMap<string, DtoProperty>;
  /** class-validator has at least one decorator on the class. */
  readonly isValidated: boolean;
  /** What is wrong with the class itself: property and message. */
  readonly problems: readonly { readonly property: string; readonly message: string }[];
}
