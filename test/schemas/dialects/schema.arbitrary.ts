import fc from 'fast-check';
import type { JsonSchema, ObjectJsonSchema } from 'nestjs-agent-tools';

/** A schema with a value that is valid for it, unless a `oneOf` in it is ambiguous. */
export interface Sample {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

type SampleArbitrary = fc.Arbitrary<Sample>;

const NAMES = [
  'a',
  'b',
  'c',
  'type',
  'description',
  '$ref',
  'enum',
  'properties',
  'x/y~z',
  'items',
];
const FORMATS: readonly (readonly [string, string])[] = [
  ['date', '2024-02-29'],
  ['email', 'a@b.example'],
  ['uri', 'https://a.example/b'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
];
const PATTERNS = ['^[a-z]*$', '^(?!zz)', '^\\w*$', '\\b|^$', '^[a-z(?=]*$'];

/** Some of the given keywords. */
function some(keywords: Record<string, unknown>): fc.Arbitrary<JsonSchema> {
  return fc.subarray(Object.entries(keywords)).map((list) => Object.fromEntries(list));
}

const strings: SampleArbitrary = fc.stringMatching(/^[a-z]{0,5}$/).chain((value) =>
  fc
    .tuple(
      some({
        minLength: Math.max(0, value.length - 1),
        maxLength: value.length + 1,
        default: 'd',
        title: 'T',
        examples: ['x'],
        description: 'A text.',
        not: { const: 'zzzz' },
        if: { const: 'zzzz' },
      }),
      fc.option(fc.constantFrom(...PATTERNS)),
    )
    .map(([keywords, pattern]) => ({
      schema: {
        type: 'string',
        ...keywords,
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        ...('if' in keywords ? { then: { maxLength: 1 } } : {}),
        ...(pattern && new RegExp(pattern).test(value) ? { pattern } : {}),
      },
      value,
    })),
);

const formats: SampleArbitrary = fc
  .constantFrom(...FORMATS)
  .map(([format, value]) => ({ schema: { type: 'string', format }, value }));

const numbers: SampleArbitrary = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.constantFrom('number', 'integer'))
  .chain(([value, type]) =>
    some({
      minimum: value - 1,
      maximum: value,
      exclusiveMinimum: value - 2,
      exclusiveMaximum: value + 1,
      multipleOf: 1,
    }).map((keywords) => ({ schema: { type, ...keywords }, value })),
  );

const scalars: SampleArbitrary = fc.oneof(
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc.constant({ schema: { type: 'null' }, value: null }),
  fc.constantFrom<Sample>(
    { schema: { const: 'k' }, value: 'k' },
    { schema: { const: 3, type: 'integer' }, value: 3 },
    { schema: { const: null }, value: null },
    { schema: { const: true }, value: true },
    { schema: { const: { deep: 1 } }, value: { deep: 1 } },
    { schema: { enum: ['x', 'y'] }, value: 'y' },
    { schema: { enum: ['x', null], type: ['string', 'null'] }, value: null },
    { schema: { enum: ['x', null], type: 'string' }, value: 'x' },
    { schema: { enum: ['x', 1, 1.5, false, null] }, value: 1 },
    { schema: { enum: [true, false] }, value: true },
    { schema: { enum: [[1], 'x'] }, value: [1] },
    { schema: { type: ['string', 'null'], minLength: 1 }, value: null },
    { schema: { type: ['string', 'integer'], minLength: 1, minimum: 2 }, value: 3 },
    { schema: { type: ['integer', 'null'], exclusiveMinimum: 2 }, value: 3 },
    { schema: {}, value: 'anything' },
    { schema: true as unknown as JsonSchema, value: 7 },
    { schema: { minimum: 3 }, value: 'free' },
    { schema: { type: 'object' }, value: { free: 1 } },
    { schema: { type: 'array' }, value: [1] },
  ),
);

/** Two schemas that limit the same value, the second one less. */
const conjunctions: SampleArbitrary = fc.oneof(strings, numbers).map(({ schema, value }) => ({
  schema: { allOf: [schema, { minimum: -60, maximum: 60, minLength: 0, maxLength: 9 }] },
  value,
}));

/** Definitions that references lead to; the last one is recursive. */
const DEFINITIONS: Readonly<Record<string, Sample>> = {
  Name: { schema: { type: 'string', minLength: 2 }, value: 'ab' },
  Maybe: { schema: { type: ['string', 'null'] }, value: null },
  Alias: { schema: { $ref: '#/$defs/Name' }, value: 'abc' },
  Point: {
    schema: {
      type: 'object',
      properties: { x: { type: 'number', minimum: 0 }, label: { $ref: '#/$defs/Name' } },
      required: ['x'],
    },
    value: { x: 1 },
  },
  'Odd/~name': { schema: { enum: ['o'] }, value: 'o' },
  Node: {
    schema: {
      type: 'object',
      properties: {
        value: { type: 'integer' },
        next: { $ref: '#/$defs/Node', description: 'The next one.' },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
      required: ['value', 'children'],
      additionalProperties: false,
    },
    value: { value: 1, next: { value: 2, children: [] }, children: [] },
  },
};
const POINTERS = Object.keys(DEFINITIONS).map(
  (name) => [name, `#/$defs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`] as const,
);

const references: SampleArbitrary = fc
  .tuple(fc.constantFrom(...POINTERS), fc.constantFrom('bare', 'described', 'wrapped', 'narrowed'))
  .map(([[name, $ref], form]) => {
    const { value } = DEFINITIONS[name];
    if (form === 'described') return { schema: { $ref, description: 'Of a kind.' }, value };
    if (form === 'wrapped') return { schema: { allOf: [{ $ref }], default: value }, value };
    if (form === 'narrowed') return { schema: { $ref, not: { const: 'zz' } }, value };
    return { schema: { $ref }, value };
  });

const { any, object } = fc.letrec<{ any: Sample; object: Sample }>((tie) => {
  const nested = tie('any');
  const arrays: SampleArbitrary = fc
    .tuple(nested, fc.integer({ min: 0, max: 2 }))
    .chain(([item, length]) =>
      some({
        minItems: length,
        maxItems: length + 1,
        ...(length > 0 ? { contains: item.schema } : {}),
      }).map((keywords) => ({
        schema: { type: 'array', items: item.schema, ...keywords },
        value: Array.from({ length }, () => item.value),
      })),
    );
  const tuples: SampleArbitrary = fc
    .tuple(fc.array(nested, { minLength: 1, maxLength: 2 }), fc.constantFrom(undefined, false))
    .map(([items, rest]) => ({
      schema: {
        type: 'array',
        prefixItems: items.map(({ schema }) => schema),
        ...(rest === undefined ? {} : { items: rest }),
      },
      value: items.map(({ value }) => value),
    }));
  const unions: SampleArbitrary = fc
    .tuple(
      fc.array(nested, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('anyOf', 'oneOf'),
      fc.boolean(),
    )
    .map(([list, keyword, isDescribed]) => ({
      schema: {
        [keyword]: list.map(({ schema }) => schema),
        ...(isDescribed ? { description: 'One of them.' } : {}),
      },
      value: list[0].value,
    }));
  const merged: SampleArbitrary = fc.tuple(tie('object'), tie('object')).map(([a, b]) => ({
    schema: { allOf: [a.schema, b.schema], description: 'Both.' },
    value: { ...(a.value as object), ...(b.value as object) },
  }));
  const chosen: SampleArbitrary = tie('object').map(({ schema, value }) => {
    const [name = 'a'] = Object.keys(value as object);
    return {
      schema: {
        ...schema,
        anyOf: [{ required: [name] }, { required: ['b'] }, { maxProperties: 0 }],
      },
      value,
    };
  });
  return {
    any: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      {
        arbitrary: fc.oneof(strings, formats, numbers, scalars, references, conjunctions),
        weight: 4,
      },
      { arbitrary: tie('object'), weight: 3 },
      { arbitrary: fc.oneof(arrays, tuples, unions, merged, chosen), weight: 3 },
    ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...NAMES), nested, fc.constantFrom(0, 1, 2)), {
          maxLength: 3,
          selector: ([name]) => name,
        }),
        fc.constantFrom<JsonSchema['additionalProperties']>(
          undefined,
          undefined,
          undefined,
          false,
          false,
          true,
          { type: 'string' },
        ),
        fc.constantFrom<JsonSchema>(
          {},
          {},
          {},
          { maxProperties: 9 },
          { propertyNames: { maxLength: 20 } },
          { patternProperties: { '^z-': { type: 'number' } } },
          { description: 'Things.' },
        ),
      )
      .map(([fields, additionalProperties, more]) => ({
        schema: {
          type: 'object',
          properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
          required: fields.filter(([, , presence]) => presence === 2).map(([name]) => name),
          ...(additionalProperties === undefined ? {} : { additionalProperties }),
          ...more,
        },
        value: {
          ...Object.fromEntries(
            fields
              .filter(([, , presence]) => presence > 0)
              .map(([name, { value }]) => [name, value]),
          ),
          // Names that the properties do not list, where they are allowed.
          ...(typeof additionalProperties === 'object' ? { other: 'free' } : {}),
          ...(more.patternProperties ? { 'z-1': 1 } : {}),
        },
      })),
  };
});

/** Input schemas of tools, some with a union or an `allOf` at the root. */
export const toolSchemas: fc.Arbitrary<{ schema: ObjectJsonSchema; value: unknown }> = fc
  .oneof(
    { arbitrary: object, weight: 4 },
    {
      arbitrary: fc
        .tuple(fc.array(object, { minLength: 1, maxLength: 3 }), fc.constantFrom('anyOf', 'oneOf'))
        .map(([list, keyword]) => ({
          schema: { [keyword]: list.map(({ schema }) => schema) },
          value: list[0].value,
        })),
      weight: 1,
    },
    {
      arbitrary: fc.tuple(object, object).map(([a, b]) => ({
        schema: { allOf: [a.schema, b.schema] },
        value: { ...(a.value as object), ...(b.value as object) },
      })),
      weight: 1,
    },
  )
  .map(({ schema, value }) => ({
    schema: {
      properties: {},
      ...schema,
      type: 'object',
      $defs: Object.fromEntries(
        Object.entries(DEFINITIONS).map(([key, sample]) => [key, sample.schema]),
      ),
    },
    value,
  }));

export { any as anySchemas };
