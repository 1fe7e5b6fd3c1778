import type { Type } from '@nestjs/common';
import { loadPackage } from '../../../utils/load-package.js';
import { type PropertyFacts, shapeOf } from './property-facts.js';

interface TypeMetadata {
  readonly reflectedType?: unknown;
  readonly typeFunction?: (help?: unknown) => unknown;
  readonly options?: {
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly value: Type; readonly name: string }[];
    };
  };
}
interface ExposeMetadata {
  readonly propertyName: string;
  readonly options?: { readonly name?: string; readonly groups?: readonly string[] };
}
/** class-transformer does not export its storage from its root. */
interface Storage {
  findTypeMetadata(target: Type, property: string): TypeMetadata | undefined;
  findExposeMetadata(target: Type, property: string): ExposeMetadata | undefined;
  findExcludeMetadata(target: Type, property: string): object | undefined;
  findTransformMetadatas(target: Type, property: string, direction: number): readonly object[];
  getExposedProperties(target: Type, direction: number): readonly string[];
  getExcludedProperties(target: Type, direction: number): readonly string[];
  getStrategy(target: Type): 'none' | 'excludeAll' | 'exposeAll';
}

/** What class-transformer does with a property on the way from plain object to instance. */
export interface TransformedFacts extends PropertyFacts {
  readonly inputName: string;
  /** The value of the input never reaches the instance. */
  readonly isExcluded: boolean;
  /** `@Transform()`: the type of the property is not the type of the input. */
  readonly isTransformed: boolean;
  /** `@Type()`: class-transformer makes the instances itself. */
  readonly isTyped: boolean;
  /** A decorator that lets the input through: `@Expose()` or `@Type()`. */
  readonly isDeclared: boolean;
  readonly reflectedType?: unknown;
}

/** class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const PLAIN_TO_CLASS = 0;

export function readClassTransformer(target: Type, property: string): TransformedFacts {
  const storage = transformerStorage();
  const type = storage.findTypeMetadata(target, property);
  const expose = storage.findExposeMetadata(target, property);
  return {
    inputName: expose?.options?.name ?? property,
    isExcluded: isExcluded(storage, target, property, expose),
    isTransformed: storage.findTransformMetadatas(target, property, PLAIN_TO_CLASS).length > 0,
    isTyped: type !== undefined,
    isDeclared: type !== undefined || expose !== undefined,
    reflectedType: type?.reflectedType,
    ...(type ? readType(type) : {}),
  };
}

/** The properties that only class-transformer's decorators name. */
export function exposedProperties(target: Type): readonly string[] {
  return transformerStorage().getExposedProperties(target, PLAIN_TO_CLASS);
}

/** Whether a decorator of class-transformer says that the property is not for the input. */
function isExcluded(
  storage: Storage,
  target: Type,
  property: string,
  expose: ExposeMetadata | undefined,
): boolean {
  if (storage.getExcludedProperties(target, PLAIN_TO_CLASS).includes(property)) return true;
  // No groups are given, so what is exposed to some of them is exposed to none.
  if (expose?.options?.groups?.length) return true;
  if (storage.getStrategy(target) !== 'excludeAll') return false;
  return !storage.getExposedProperties(target, PLAIN_TO_CLASS).includes(property);
}

function readType({ typeFunction, options }: TypeMetadata): PropertyFacts {
  const discriminator = options?.discriminator;
  if (discriminator?.subTypes) {
    const variants = new Map(discriminator.subTypes.map(({ name, value }) => [name, value]));
    return { shape: { kind: 'variants', discriminator: discriminator.property, variants } };
  }
  // A function that looks at the value cannot be asked without one.
  if (!typeFunction || typeFunction.length > 0) return {};
  return { shape: shapeOf(typeFunction()) };
}

function transformerStorage(): Storage {
  return loadPackage<{ defaultMetadataStorage: Storage }>(
    'class-transformer/cjs/storage.js',
    'A tool whose input is a class',
    'class-validator',
    'class-transformer',
  ).defaultMetadataStorage;
}
