import type { PropertySources } from './property-facts.merger.js';
import { isDateShape, isScalar } from './property-facts.js';

/** Why every call would be refused, whatever the input: what class-transformer makes does not fit. */
export function conversionProblem(sources: PropertySources): string | undefined {
  const { api, validated, transformed, designType } = sources;
  if (transformed.isTransformed || !transformed.isTyped) return undefined;
  if ([designType, transformed.reflectedType].includes(Map)) {
    return (
      'is a Map, which JSON does not have. Use an array of objects with @ValidateNested({ each: true }), ' +
      'or a plain object.'
    );
  }
  const ruled = validated?.shape;
  if (isScalar(ruled, 'string') && !isDateShape(ruled) && isDateShape(transformed.shape)) {
    return (
      'has a rule for texts, but @Type(() => Date) makes a Date of the text before the rule sees it. Use ' +
      '@IsDate(), or leave out the @Type().'
    );
  }
  const described = api?.shape ?? ruled;
  if (described && isScalar(transformed.shape, 'boolean') && !isScalar(described, 'boolean')) {
    return (
      'is described as no boolean, and @Type(() => Boolean) makes true of everything that is not empty, ' +
      '"false" included. Use a boolean, or a @Transform().'
    );
  }
  return undefined;
}

export function unmakeable(reason: string): string {
  return (
    'cannot be made by class-transformer, which calls the constructor without arguments: ' +
    `${reason.replace(/\.$/, '')}. Give the parameters of the constructor defaults, or leave it out.`
  );
}
