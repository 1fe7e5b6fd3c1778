import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { DtoProperty, NestedShape } from './class-facts.js';
import type { TransformedFacts } from './class-transformer.reader.js';
import type { ValidatedFacts } from './class-validator.reader.js';
import { isDateShape, type PropertyFacts, type Shape, shapeOf } from './property-facts.js';
import { addKeywords } from './rule-set.js';

/** What each source says about one property. */
export interface PropertySources {
  readonly api?: PropertyFacts;
  readonly validated?: ValidatedFacts;
  readonly transformed: TransformedFacts;
  readonly plugin?: PropertyFacts;
  readonly designType: unknown;
  readonly initial: unknown;
  readonly initialJson: unknown;
}

/** `@ApiProperty()` over class-validator over the plugin over the design type. */
export function mergeFacts(name: string, sources: PropertySources): DtoProperty {
  const { api, validated, transformed, plugin, designType } = sources;
  const isArray = mergeIsArray(sources);
  const shape = mergeShape(sources, isArray);
  const levels = [plugin, validated, api].filter((facts) => facts !== undefined);
  const keywords = Object.assign({}, ...levels.map((facts) => facts.keywords)) as JsonSchema;
  const itemKeywords = Object.assign(
    {},
    ...levels.map((facts) => facts.itemKeywords),
  ) as JsonSchema;
  const nested = nestedShape(sources, shape);
  const initialValue = acceptedInitial(sources);
  const defaultValue = initialValue?.json ?? keywords.default;
  // A default that only the schema has is filled in where the schema is what checks.
  const isFilled = initialValue !== undefined || (!validated && defaultValue !== undefined);
  return {
    name,
    inputName: transformed.inputName,
    isRequired:
      api?.isRequired ?? (isFilled ? false : (validated?.isRequired ?? plugin?.isRequired ?? true)),
    isNullable: api?.isNullable ?? plugin?.isNullable,
    isArray,
    shape,
    // A rule with `each` holds for a value that is no array, too.
    keywords: isArray ? keywords : (addKeywords(keywords, itemKeywords) ?? keywords),
    itemKeywords,
    notes: validated?.notes,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(initialValue || transformed.isTransformed ? {} : { declaredDefault: keywords.default }),
    isChecked: validated?.isChecked ?? false,
    allowsNull: validated?.allowsNull ?? false,
    nested,
    conversion: conversionOf(sources, shape, nested),
    designType,
    isTransformed: transformed.isTransformed,
  };
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
  const isInteger =
    validated?.shape?.kind === 'scalar' && validated.shape.schema.type === 'integer';
  const isNumber = declared?.kind === 'scalar' && declared.schema.type === 'number';
  return isInteger && isNumber ? validated.shape : declared;
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

/** Where no `@Type()` says it, the class is told to class-transformer, so that an instance arrives. */
function conversionOf(
  { validated, transformed }: PropertySources,
  shape: Shape | undefined,
  nested: NestedShape | undefined,
): Type | undefined {
  if (transformed.isTyped || transformed.isTransformed) return undefined;
  if (nested?.kind === 'class') return nested.target;
  // Other rules, such as @IsObject() or @IsDateString(), are about the value as it came.
  const wanted = validated?.isChecked ? validated.shape : shape;
  if (isDateShape(wanted)) return Date;
  return wanted?.kind === 'class' ? wanted.target : undefined;
}
