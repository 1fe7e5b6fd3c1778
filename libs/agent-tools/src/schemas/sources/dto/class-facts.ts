import type { Type } from '@nestjs/common';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import type { PropertyFacts, Shape } from './property-facts.js';
import type { ValueCheck } from './value.check.js';

/** Everything known about one property that the model may set, all sources merged. */
export interface DtoProperty extends Omit<PropertyFacts, 'isRequired' | 'isArray'> {
  readonly name: string;
  /** The key in the input, which `@Expose({ name })` may set. */
  readonly inputName: string;
  readonly isRequired: boolean;
  readonly isArray: boolean;
  readonly default?: unknown;
  /** A default that is no initial value of the class, and is filled in. */
  readonly declaredDefault?: unknown;
  /** It is refused that the value is missing. */
  readonly isDemanded: boolean;
  /**
   * The rules of class-validator, with `valueCheck` and `inner`, see to it that the value has the shape
   * that is shown; if not, the described schema is what checks it.
   */
  readonly isChecked: boolean;
  /** Null is for the rules to judge. */
  readonly acceptsNull: boolean;
  /** The class whose own rules class-validator applies to the value. */
  readonly nested?: NestedShape;
  /** The class that the value is of, whoever checks it. */
  readonly inner?: NestedShape;
  readonly valueCheck?: ValueCheck;
  /** class-transformer takes the discriminator of variants out of what it makes. */
  readonly losesDiscriminator: boolean;
  /** What class-transformer must be told to make, where no `@Type()` tells it. */
  readonly conversion?: Type;
  /** What TypeScript's metadata says, for a message. */
  readonly designType: unknown;
  readonly isTransformed: boolean;
}

export type NestedShape = Extract<Shape, { kind: 'class' | 'variants' }>;

export interface ClassFacts {
  readonly target: Type;
  readonly side: SchemaSide;
  readonly description?: string;
  readonly properties: readonly DtoProperty[];
  readonly byInputName: ReadonlyMap<string, DtoProperty>;
  /** class-validator has at least one decorator on the class. */
  readonly isValidated: boolean;
  /** What is wrong with the class itself: property and message. */
  readonly problems: readonly ClassProblem[];
}

export interface ClassProblem {
  /** None if it is about the whole class. */
  readonly property?: string;
  readonly message: string;
}
