import type { JsonSchema } from 'nestjs-agent-tools';

const ALL = ['string', 'number', 'boolean', 'object', 'array', 'null'];
/** What the keywords of a schema without a type are about. */
const HINTS: readonly [type: string, keywords: readonly string[]][] = [
  [
    'object',
    ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'contains', 'uniqueItems']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types that a value may have, the likeliest first and `null` last. */
export function typesOf(schema: JsonSchema): readonly unknown[] {
  const { type } = schema;
  if (type === undefined) {
    const hinted = HINTS.filter(([, keywords]) => keywords.some((keyword) => keyword in schema));
    return [...new Set([...hinted.map(([name]) => name), ...ALL])];
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}
