import type { Type } from '@nestjs/common';
import {
  type ExposeMetadata,
  type TransformerStorage,
  transformerStorage,
  type TypeMetadata,
} from './class-transformer.storage.js';
import { type PropertyFacts, shapeOf } from './property-facts.js';

/** What class-transformer does with a property on the way from plain object to instance. */
export interface TransformedFacts extends PropertyFacts {
  readonly inputName: string;
  /** The value of the input never reaches the instance. */
  readonly isExcluded: boolean;
  /** `@Transform()`: the type of the property is not the type of the input. */
  readonly isTransformed: boolean;
  /** `@Type()`: class-transformer makes the instances itself. */
  readonly isTyped: boolean;
  readonly reflectedType?: unknown;
}

/** class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const PLAIN_TO_CLASS = 0;

/** Reads class-transformer's metadata of one class. */
export class ClassTransformerReader {
  private readonly exposed: readonly string[];
  private readonly storage: TransformerStorage = transformerStorage();
  private readonly excluded: readonly string[];
  private readonly excludesAll: boolean;
  private readonly facts = new Map<string, TransformedFacts>();

  constructor(private readonly target: Type) {
    this.exposed = this.storage.getExposedProperties(target, PLAIN_TO_CLASS);
    this.excluded = this.storage.getExcludedProperties(target, PLAIN_TO_CLASS);
    this.excludesAll = this.storage.getStrategy(target) === 'excludeAll';
  }

  /** The properties that have an `@Expose()` or a `@Type()`: the input may set them. */
  get properties(): readonly string[] {
    const typed: string[] = [];
    let owner: unknown = this.target;
    while (typeof owner === 'function') {
      typed.unshift(...(this.storage._typeMetadatas?.get(owner)?.keys() ?? []));
      owner = Object.getPrototypeOf(owner);
    }
    return [...typed, ...this.exposed];
  }

  read(property: string): TransformedFacts {
    let facts = this.facts.get(property);
    if (!facts) this.facts.set(property, (facts = this.collect(property)));
    return facts;
  }

  private collect(property: string): TransformedFacts {
    const { storage, target } = this;
    const type = storage.findTypeMetadata(target, property);
    const expose = storage.findExposeMetadata(target, property);
    return {
      inputName: expose?.options?.name ?? property,
      isExcluded: this.isExcluded(property, expose),
      isTransformed: storage.findTransformMetadatas(target, property, PLAIN_TO_CLASS).length > 0,
      isTyped: type !== undefined,
      reflectedType: type?.reflectedType,
      shape: type && shapeFrom(type),
    };
  }

  /** Whether a decorator of class-transformer says that the property is not for the input. */
  private isExcluded(property: string, expose: ExposeMetadata | undefined): boolean {
    if (this.excluded.includes(property)) return true;
    // No groups are given, so what is exposed to some of them is exposed to none.
    if (expose?.options?.groups?.length) return true;
    return this.excludesAll && !this.exposed.includes(property);
  }
}

function shapeFrom({ typeFunction, options }: TypeMetadata): PropertyFacts['shape'] {
  const discriminator = options?.discriminator;
  if (discriminator?.subTypes) {
    const variants = new Map(discriminator.subTypes.map(({ name, value }) => [name, value]));
    return { kind: 'variants', discriminator: discriminator.property, variants };
  }
  // A function that looks at the value cannot be asked without one.
  return typeFunction?.length === 0 ? shapeOf(typeFunction()) : undefined;
}
