import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { DtoProperty, NestedShape } from './class-facts.js';
import type { PropertyFacts, Shape } from './property-facts.js';
import type { PropertySources } from './property-facts.merger.js';
import { valueCheckOf } from './value.check.js';

interface MergedShape {
  readonly isArray: boolean;
  readonly shape: Shape | undefined;
  readonly nested: NestedShape | undefined;
  /** What class-transformer makes of one value. */
  readonly made: Shape | undefined;
  /** Of one value. */
  readonly keywords: JsonSchema;
}

export type Checks = Pick<DtoProperty, 'isChecked' | 'inner' | 'valueCheck'>;

/** Keywords that describe a value and refuse none. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title description examples default deprecated readOnly writeOnly enum'.split(' '),
);

/** How it is checked that a value has the shape that is shown. */
export function checksOf(
  sources: PropertySources,
  { isArray, shape, nested, made, keywords }: MergedShape,
): Checks {
  const { validated, transformed } = sources;
  const inner =
    nested ?? (shape?.kind === 'class' || shape?.kind === 'variants' ? shape : undefined);
  const valueCheck = inner ? undefined : valueCheckOf(shape, keywords, made);
  if (!validated?.hasRules) return { isChecked: false, inner, valueCheck };
  const isRuled = isArray ? validated.checksItems : validated.checksValue || validated.checksItems;
  const isSimple = valueCheck !== undefined && !hasOtherKeywords(sources);
  return {
    isChecked: transformed.isTransformed || nested !== undefined || isRuled || isSimple,
    inner,
    valueCheck,
  };
}

/** Whether the description restricts the value more than its type and its enum do. */
function hasOtherKeywords({ api, plugin }: PropertySources): boolean {
  const restricts = (facts: PropertyFacts | undefined) =>
    [facts?.keywords, facts?.itemKeywords].some((keywords) =>
      Object.keys(keywords ?? {}).some((keyword) => !ANNOTATIONS.has(keyword)),
    );
  return restricts(api) || restricts(plugin);
}
