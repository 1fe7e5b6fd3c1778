import type { Type } from '@nestjs/common';
import type { TargetMap } from 'class-transformer';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import type { ClassFacts } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import type { Shape } from './property-facts.js';

export interface ReachableClasses {
  /** The class and those that class-validator enters from it. */
  readonly classes: readonly ClassFacts[];
  /** Those, and the ones that only class-transformer makes. */
  readonly made: readonly ClassFacts[];
  /** Classes that no `@Type()` tells class-transformer. */
  readonly targetMaps: TargetMap[];
  readonly hasVariants: boolean;
}

export function reachableClasses(root: Type, side: SchemaSide): ReachableClasses {
  const entered = new Set<ClassFacts>();
  const made = new Set<ClassFacts>();
  let hasVariants = false;
  const visit = (target: Type, isEntered: boolean): void => {
    const facts = readClass(target, side);
    if (made.has(facts) && (!isEntered || entered.has(facts))) return;
    made.add(facts);
    if (isEntered) entered.add(facts);
    for (const { nested, shape } of facts.properties) {
      for (const next of targetsOf(nested)) visit(next, isEntered);
      for (const next of targetsOf(shape)) visit(next, false);
      hasVariants ||= nested?.kind === 'variants' || shape?.kind === 'variants';
    }
  };
  visit(root, true);
  return {
    classes: [...entered],
    made: [...made],
    targetMaps: [...made].flatMap(toTargetMap),
    hasVariants,
  };
}

function targetsOf(shape: Shape | undefined): Iterable<Type> {
  if (shape?.kind === 'class') return [shape.target];
  return shape?.kind === 'variants' ? shape.variants.values() : [];
}

function toTargetMap({ target, properties }: ClassFacts): TargetMap[] {
  const conversions = properties.filter(({ conversion }) => conversion !== undefined);
  if (conversions.length === 0) return [];
  return [
    {
      target,
      properties: Object.fromEntries(
        conversions.map(({ name, conversion }) => [name, conversion as Type]),
      ),
    },
  ];
}
