import type { Type } from '@nestjs/common';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import {
  type ExposeMetadata,
  type TransformerStorage,
  transformerStorage,
  type TypeMetadata,
} from './class-transformer.storage.js';
import { type PropertyFacts, shapeOf } from './property-facts.js';

/** What class-transformer does with a property on the way from plain object to instance, or back. */
export interface TransformedFacts extends PropertyFacts {
  readonly inputName: string;
  /** The value never arrives. */
  readonly isExcluded: boolean;
  /** `@Transform()`: the type of the property is not the type of the input. */
  readonly isTransformed: boolean;
  /** `@Type()`: class-transformer makes the instances itself. */
  readonly isTyped: boolean;
  readonly reflectedType?: unknown;
  /** class-transformer takes the discriminator of variants out of what it makes. */
  readonly losesDiscriminator: boolean;
}

/** class-transformer's `TransformationType`: PLAIN_TO_CLASS and CLASS_TO_PLAIN. */
const DIRECTIONS: Readonly<Record<SchemaSide, number>> = { input: 0, output: 1 };

/** Reads class-transformer's metadata of one class. */
export class ClassTransformerReader {
  private readonly direction: number;
  private readonly exposed: readonly string[];
  private readonly storage: TransformerStorage = transformerStorage();
  private readonly excluded: readonly string[];
  private readonly excludesAll: boolean;
  private readonly facts = new Map<string, TransformedFacts>();

  constructor(
    private readonly target: Type,
    side: SchemaSide,
  ) {
    this.direction = DIRECTIONS[side];
    this.exposed = this.storage.getExposedProperties(target, this.direction);
    this.excluded = this.storage.getExcludedProperties(target, this.direction);
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
      isTransformed: storage.findTransformMetadatas(target, property, this.direction).length > 0,
      isTyped: type !== undefined,
      reflectedType: type?.reflectedType,
      losesDiscriminator: type?.options?.keepDiscriminatorProperty !== true,
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
