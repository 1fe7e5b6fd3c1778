import type { Type } from '@nestjs/common';
import { loadPackage } from '../../../utils/load-package.js';

export interface TypeMetadata {
  readonly reflectedType?: unknown;
  readonly typeFunction?: (help?: unknown) => unknown;
  readonly options?: {
    readonly keepDiscriminatorProperty?: boolean;
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly value: Type; readonly name: string }[];
    };
  };
}

export interface ExposeMetadata {
  readonly propertyName: string;
  readonly options?: { readonly name?: string; readonly groups?: readonly string[] };
}

/** The part of class-transformer's storage that is read. Its root does not export it. */
export interface TransformerStorage {
  findTypeMetadata(target: Type, property: string): TypeMetadata | undefined;
  findExposeMetadata(target: Type, property: string): ExposeMetadata | undefined;
  findTransformMetadatas(target: Type, property: string, direction: number): readonly object[];
  getExposedProperties(target: Type, direction: number): readonly string[];
  getExcludedProperties(target: Type, direction: number): readonly string[];
  getStrategy(target: Type): 'none' | 'excludeAll' | 'exposeAll';
  /** Nothing public lists the properties that have a `@Type()`; `@nestjs/mapped-types` reads it, too. */
  readonly _typeMetadatas?: ReadonlyMap<unknown, ReadonlyMap<string, TypeMetadata>>;
}

let storage: TransformerStorage | undefined;

export function transformerStorage(): TransformerStorage {
  storage ??= loadPackage<{ defaultMetadataStorage: TransformerStorage }>(
    'class-transformer/cjs/storage.js',
    'A tool whose input is a class',
    'class-validator',
    'class-transformer',
  ).defaultMetadataStorage;
  return storage;
}
