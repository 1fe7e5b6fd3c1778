import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { type Checks, checksOf } from './checked-shape.js';
import type { DtoProperty, NestedShape } from './class-facts.js';
import type { TransformedFacts } from './class-transformer.reader.js';
import type { ValidatedFacts } from './class-validator.reader.js';
import {
  isDateShape,
  isScalar,
  type PropertyFacts,
  type Shape,
  shapeOf,
} from './property-facts.js';
import { addKeywords } from './rule-set.js';
import { problemOf } from './value.check.js';

/** What each source says about one property. */
export interface PropertySources {
  readonly api?: PropertyFacts;
  readonly validated?: ValidatedFacts;
  readonly transformed: TransformedFacts;
  readonly plugin?: PropertyFacts;
  readonly designType: unknown;
  readonly initial: unknown;
  readonly initialJson: unknown;
  /** The class declares the property itself and did not get it through a mapped type. */
  readonly isOwn: boolean;
}

/** `@ApiProperty()` over class-validator over the plugin over the design type. */
export function mergeFacts(name: string, sources: PropertySources): DtoProperty {
  const { api, validated, transformed, plugin, designType } = sources;
  const isArray = mergeIsArray(sources);
  const shape = mergeShape(sources, isArray);
  const levels = [plugin, validated, api].filter((facts) => facts !== undefined);
  const { default: declared, ...keywords } = Object.assign(
    {},
    ...levels.map((facts) => facts.keywords),
  ) as JsonSchema;
  const itemKeywords = Object.assign(
    {},
    ...levels.map((facts) => facts.itemKeywords),
  ) as JsonSchema;
  const nested = nestedShape(sources, shape);
  const initialValue = acceptedInitial(sources);
  // A rule with `each` holds for a value that is no array, too.
  const ownKeywords = isArray ? keywords : (addKeywords(keywords, itemKeywords) ?? keywords);
  const conversion = conversionOf(sources, shape, nested);
  const checks = checksOf(sources, {
    isArray,
    shape,
    nested,
    made: transformed.isTyped ? transformed.shape : shapeOf(conversion),
    keywords: isArray ? itemKeywords : ownKeywords,
  });
  const declaredDefault = initialValue ? undefined : fillableDefault(sources, declared, checks);
  const isShown = sources.isOwn && (declared === null || transformed.isTransformed);
  const defaultValue = initialValue?.json ?? (isShown ? declared : declaredDefault);
  const isFilled = initialValue !== undefined || declaredDefault !== undefined;
  const isRequired = mergeIsRequired(sources, isFilled);
  const isNullable = api?.isNullable ?? plugin?.isNullable;
  const isConditional = validated?.isConditional ?? false;
  const isOnlyTold = (declared ?? undefined) !== undefined && defaultValue === undefined;
  return {
    name,
    inputName: transformed.inputName,
    isRequired,
    isDemanded: isRequired && !isFilled && !isConditional,
    isNullable,
    isArray,
    shape,
    keywords: ownKeywords,
    itemKeywords,
    notes: isOnlyTold
      ? [...(validated?.notes ?? []), `default: ${JSON.stringify(declared)}`]
      : validated?.notes,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    declaredDefault,
    ...checks,
    acceptsNull: isNullable === true || isConditional,
    nested,
    conversion,
    losesDiscriminator: transformed.losesDiscriminator,
    designType,
    isTransformed: transformed.isTransformed,
  };
}

function mergeIsRequired({ api, validated, plugin }: PropertySources, isFilled: boolean): boolean {
  if (isFilled) return api?.isRequired ?? false;
  // What the rules refuse to miss is required, whatever the description says.
  if (validated?.isRequired === true) return true;
  return api?.isRequired ?? validated?.isRequired ?? plugin?.isRequired ?? true;
}

function mergeIsArray(sources: PropertySources): boolean {
  const { api, validated, plugin, transformed, designType } = sources;
  const reflected = designType ?? transformed.reflectedType;
  const declared = api?.isArray ?? validated?.isArray ?? plugin?.isArray;
  if (declared !== undefined) return declared;
  // class-transformer makes a Set of an array where @Type() stands.
  if (reflected === Array || (reflected === Set && transformed.isTyped)) return true;
  return (validated?.isEach ?? false) && (reflected === undefined || reflected === Object);
}

function mergeShape(sources: PropertySources, isArray: boolean): Shape | undefined {
  const { api, validated, transformed, plugin, designType } = sources;
  // The type of a transformed property is what comes out, not what goes in.
  const isOpen = !transformed.isTransformed;
  const declared =
    api?.shape ??
    validated?.shape ??
    (isOpen ? (transformed.shape ?? plugin?.shape) : undefined) ??
    (isOpen && !isArray ? shapeOf(designType) : undefined) ??
    validated?.vagueShape;
  const isInteger = isScalar(validated?.shape, 'integer') && isScalar(declared, 'number');
  return isInteger ? validated?.shape : declared;
}

/** What class-validator enters: the class that class-transformer makes, else the described one. */
function nestedShape(
  { validated, transformed }: PropertySources,
  shape: Shape | undefined,
): NestedShape | undefined {
  if (!validated?.isNested) return undefined;
  const made = transformed.isTyped ? transformed.shape : shape;
  return made?.kind === 'class' || made?.kind === 'variants' ? made : undefined;
}

/** The initial value counts if the library's rules accept it where the input has none. */
function acceptedInitial(sources: PropertySources): { json: unknown } | undefined {
  const { initial, initialJson, validated } = sources;
  if (initial === undefined || initial === null) return undefined;
  return validated && !validated.accepts(initial) ? undefined : { json: initialJson };
}

/** A default that only the description has, if it can take the place of what is missing. */
function fillableDefault(
  { isOwn, transformed, validated }: PropertySources,
  declared: unknown,
  { valueCheck }: Checks,
): unknown {
  if (declared === undefined || declared === null) return undefined;
  if (!isOwn || transformed.isTransformed) return undefined;
  const fits = [declared].flat().every((one) => !valueCheck || !problemOf(valueCheck, one));
  return fits && (validated?.accepts(declared) ?? true) ? declared : undefined;
}

/** Where no `@Type()` says it, the class is told to class-transformer, so that an instance arrives. */
function conversionOf(
  { validated, transformed }: PropertySources,
  shape: Shape | undefined,
  nested: NestedShape | undefined,
): Type | undefined {
  if (transformed.isTyped || transformed.isTransformed) return undefined;
  if (nested?.kind === 'class') return nested.target;
  // Other rules, such as @IsObject() or @IsDateString(), are about the value as it came.
  const isAsItCame = validated?.hasRules === true && !validated.isNeutral;
  const wanted = isAsItCame ? validated.shape : (validated?.shape ?? shape);
  if (isDateShape(wanted)) return Date;
  return wanted?.kind === 'class' ? wanted.target : undefined;
}
