import fc from 'fast-check';
import type { JsonSchema, ObjectJsonSchema } from 'nestjs-agent-tools';

/** A schema and a value that it takes. */
export interface TypedValue<Schema extends JsonSchema = ObjectJsonSchema> {
  readonly schema: Schema;
  readonly value: Record<string, unknown>;
}

interface Typed {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

const NAME = fc.string({
  unit: fc.constantFrom('a', 'b', 'k', 'x', 'z', 'A', 'K', 'Z', '_'),
  minLength: 1,
  maxLength: 8,
});
const TRICKY = fc.constantFrom(
  "it's",
  'say "hi"',
  'a, b; c',
  '{"a": 1}',
  '[1]',
  'True',
  '// no comment',
  'C:\\data',
  'one\ntwo',
  '```',
  'null',
  '5',
  'ünïcödé 🎉',
);
const TEXT = fc.oneof(fc.string({ maxLength: 20 }), TRICKY);
const NUMBER = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  // A model that writes those must be told that their digits are lost.
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
  // JSON has no negative zero that every writer keeps.
  .map((value) => (Object.is(value, -0) ? 0 : value));

const leaf: fc.Arbitrary<Typed> = fc.oneof(
  TEXT.map((value) => ({ schema: { type: 'string' }, value })),
  NUMBER.map((value) => ({ schema: { type: 'number' }, value })),
  fc.maxSafeInteger().map((value) => ({ schema: { type: 'integer' }, value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc.tuple(fc.uniqueArray(NAME, { minLength: 1, maxLength: 4 }), fc.nat()).map(([values, at]) => ({
    schema: { type: 'string', enum: values },
    value: values[at % values.length],
  })),
);

const { typed } = fc.letrec<{ typed: Typed; list: Typed; object: Typed; choice: Typed }>((tie) => ({
  typed: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: tie('list') },
    { weight: 1, arbitrary: tie('object') },
    { weight: 1, arbitrary: tie('choice') },
  ),
  list: fc.tuple(tie('typed'), fc.nat({ max: 3 })).map(([item, count]) => ({
    schema: { type: 'array', items: item.schema },
    value: Array.from({ length: count }, () => item.value),
  })),
  object: fields(tie('typed')),
  choice: fc.tuple(tie('typed'), fc.constantFrom('null', 'boolean')).map(([one, type]) => ({
    schema: { anyOf: [one.schema, { type }] },
    value: one.value,
  })),
}));

function fields(property: fc.Arbitrary<Typed>): fc.Arbitrary<TypedValue> {
  return fc
    .uniqueArray(fc.tuple(NAME, property, fc.boolean()), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .map((all) => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
        required: all.filter(([, , isRequired]) => isRequired).map(([name]) => name),
        additionalProperties: false,
      },
      value: Object.fromEntries(all.map(([name, { value }]) => [name, value])),
    }));
}

/** Objects as tools take them, with values as models send them. */
export function typedValue(): fc.Arbitrary<TypedValue> {
  return fields(typed);
}
