import fc from 'fast-check';
import type { JsonSchema } from 'nestjs-agent-tools';

type Schema = Record<string, unknown>;

const NAMES = fc.constantFrom('a', 'b', 'c', 'orderNo', 'constructor', 'größe');
const PATTERNS = fc.constantFrom(
  '^[A-Z]{2}-\\d{4}$',
  '^(foo|bar)+$',
  '^\\p{L}{3,}$',
  '^(?=.*\\d)(?=.*[A-Z])(?=.*[a-z]).{8,12}$',
  '^(?!000)\\d{3}$',
  '^([a-c])\\1$',
  '^(?<x>\\d)-\\k<x>$',
  '\\bword\\b',
  '^[^a-z0-9]{2}$',
  '^\\+?[1-9]\\d{1,14}$',
  '^#(?:[\\da-fA-F]{3}){1,2}$',
  '^[\\u4e00-\\u9fa5]+$',
  '^$|^x{3}$',
);
const FORMATS = fc.constantFrom(
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'uri',
  'uuid',
  'ipv4',
  'ipv6',
  'hostname',
);

const LITERALS = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, true, 0.1),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.record({ k: fc.string() }, { noNullPrototype: true }),
);

const integers = fc
  .record({
    low: fc.integer({ min: -1000, max: 1000 }),
    width: fc.integer({ min: 4, max: 50 }),
    form: fc.integer({ min: 0, max: 5 }),
    step: fc.constantFrom(1, 2, 3, 0.5),
  })
  .map(({ low, width, form, step }): Schema => {
    const high = low + width;
    return [
      { type: 'integer' },
      { type: 'integer', minimum: low, maximum: high },
      { type: 'integer', exclusiveMinimum: low, exclusiveMaximum: high },
      { type: 'integer', minimum: low, multipleOf: step },
      { type: 'integer', maximum: low },
      { type: 'integer', minimum: low, maximum: high, multipleOf: step },
    ][form];
  });

const numbers = fc
  .record({
    low: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    width: fc.double({ min: 0.001, max: 1e3, noNaN: true }),
    form: fc.integer({ min: 0, max: 4 }),
    step: fc.constantFrom(0.01, 0.1, 0.25, 7, 1e-3),
  })
  .map(({ low, width, form, step }): Schema => {
    const high = low + width;
    return [
      { type: 'number' },
      { type: 'number', minimum: low, maximum: high },
      { type: 'number', exclusiveMinimum: low, exclusiveMaximum: high },
      { type: 'number', minimum: low, multipleOf: step },
      { type: 'number', exclusiveMaximum: low },
    ][form];
  });

const strings = fc.oneof(
  fc
    .tuple(fc.nat(12), fc.nat(12))
    .map(([min, more]): Schema => ({ type: 'string', minLength: min, maxLength: min + more })),
  PATTERNS.map((pattern): Schema => ({ type: 'string', pattern })),
  FORMATS.map((format): Schema => ({ type: 'string', format })),
  fc
    .tuple(fc.constantFrom('email', 'uri', 'hostname', 'date-time'), fc.nat(150))
    .map(([format, minLength]): Schema => ({ type: 'string', format, minLength })),
);

const fixed = fc.oneof(
  LITERALS.map((value): Schema => ({ const: value })),
  fc.array(LITERALS, { minLength: 1, maxLength: 3 }).map((values) => ({
    enum: [...new Map(values.map((value) => [JSON.stringify(value), value])).values()],
  })),
  fc.constantFrom<Schema>({ type: 'boolean' }, { type: 'null' }, {}),
);

/** Schemas that some value fits. */
export const { schema: satisfiable, object: satisfiableObject } = fc.letrec<{
  schema: Schema;
  object: Schema;
  array: Schema;
  choice: Schema;
}>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    integers,
    numbers,
    strings,
    fixed,
    tie('object'),
    tie('array'),
    tie('choice'),
  ),
  object: fc
    .record({
      properties: fc.uniqueArray(fc.tuple(NAMES, tie('schema'), fc.boolean()), {
        selector: ([name]) => name,
        maxLength: 4,
      }),
      extra: fc.constantFrom(undefined, false, true, { type: 'integer' }),
      more: fc.nat(2),
    })
    .map(({ properties, extra, more }) => ({
      type: 'object',
      properties: Object.fromEntries(properties.map(([name, schema]) => [name, schema])),
      required: properties.filter(([, , isRequired]) => isRequired).map(([name]) => name),
      ...(extra !== undefined && { additionalProperties: extra }),
      ...(extra !== false && { minProperties: properties.length + more }),
    })),
  array: fc.oneof(
    fc
      .record({ items: tie('schema'), minItems: fc.nat(4), more: fc.nat(2) })
      .map(({ items, minItems, more }) => ({
        type: 'array',
        items,
        minItems,
        maxItems: minItems + more,
      })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((prefixItems) => ({
      type: 'array',
      prefixItems,
      items: false,
      minItems: prefixItems.length,
    })),
    fc.tuple(fc.oneof(integers, strings), fc.nat(1)).map(([items, minItems]) => ({
      type: 'array',
      items,
      minItems,
      uniqueItems: true,
    })),
    fc.nat(12).map((minItems) => ({
      type: 'array',
      uniqueItems: true,
      minItems,
      items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    })),
    tie('schema').map((contains) => ({ type: 'array', contains })),
  ),
  choice: fc.oneof(
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie('object'), tie('object')).map(([one, other]) => ({
      oneOf: [tagged(one, 'one'), tagged(other, 'other')],
    })),
    tie('schema').map((schema) => ({ allOf: [schema, {}] })),
    tie('schema').map((schema) => ({
      $ref: '#/$defs/Leaf',
      description: JSON.stringify(schema),
    })),
  ),
}));

function tagged(schema: Schema, tag: string): Schema {
  const { properties, required } = schema as { properties: object; required: string[] };
  return {
    ...schema,
    properties: { ...properties, tag: { const: tag } },
    required: [...required, 'tag'],
    ...('minProperties' in schema && { minProperties: 0 }),
  };
}

/** Any keywords together, so that often no value fits. */
export const anything: fc.Arbitrary<JsonSchema> = fc.letrec<{
  schema: JsonSchema;
  full: JsonSchema;
}>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<JsonSchema>({}, { type: 'string' }, { type: 'integer' }, { const: 'foo' }),
    tie('full'),
  ),
  full: fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null'),
        fc.constant(['string', 'null']),
      ),
      minimum: fc.integer({ min: -5, max: 5 }),
      maximum: fc.integer({ min: -5, max: 5 }),
      multipleOf: fc.constantFrom(2, 0.1, 3),
      minLength: fc.nat(4),
      maxLength: fc.nat(4),
      pattern: PATTERNS,
      format: FORMATS,
      enum: fc.array(fc.constantFrom<unknown>('a', 1, null, 'foo'), { minLength: 1, maxLength: 1 }),
      minItems: fc.nat(3),
      uniqueItems: fc.boolean(),
      items: tie('schema'),
      contains: tie('schema'),
      properties: fc.dictionary(NAMES, tie('schema'), { maxKeys: 2 }),
      required: fc.uniqueArray(NAMES, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      minProperties: fc.nat(2),
      propertyNames: tie('schema'),
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      not: tie('schema'),
      if: tie('schema'),
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: tie('schema'),
      else: tie('schema'),
    },
    { requiredKeys: [], noNullPrototype: true },
  ) as fc.Arbitrary<JsonSchema>,
})).full;
