import { describe, expect, it } from '@jest/globals';
import { toAnthropicSchema, toOpenAISchema, type JsonSchema } from 'nestjs-agent-tools';
import { inputOf } from './inputs.js';

describe.each([
  ['OpenAI', toOpenAISchema],
  ['Anthropic', toAnthropicSchema],
])('the plain dialect of %s', (_name, convert) => {
  it('keeps all of JSON Schema within the root', () => {
    const schema = inputOf(
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A', description: 'An A.' }, b: { type: 'array' } },
        patternProperties: { '^x-': {} },
        allOf: [{ minProperties: 1 }],
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
        not: { required: ['c'] },
        if: { required: ['a'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { maxProperties: 3 },
        default: {},
      },
      { $defs: { A: { const: 1 } }, additionalProperties: false, description: 'Input.' },
    );
    expect(convert(schema)).toEqual({ schema, strict: false, losses: [], refusals: [] });
  });

  it('drops `$schema`', () => {
    const schema = inputOf({ type: 'string' });
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(convert({ $schema, ...schema }).schema).toEqual(schema);
  });

  it('turns booleans into schemas, and the tuples of older drafts into prefixItems', () => {
    const { schema } = convert({
      type: 'object',
      properties: {
        any: true as unknown as JsonSchema,
        none: false as unknown as JsonSchema,
        pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
        empty: { type: 'array', items: false },
      },
    });
    expect(schema.properties).toEqual({
      any: {},
      none: { not: {} },
      pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      empty: { type: 'array', items: false },
    });
  });

  it('dissolves a union at the root, and says which properties go together', () => {
    const converted = convert({
      type: 'object',
      description: 'A target.',
      properties: { id: { type: 'string' } },
      required: ['id'],
      oneOf: [
        {
          properties: { kind: { const: 'mail' }, to: { type: 'string' } },
          required: ['kind', 'to'],
        },
        {
          properties: { kind: { const: 'call' }, number: { type: 'string' }, to: { type: 'null' } },
          required: ['kind', 'number'],
        },
      ],
    });
    expect(converted).toEqual({
      schema: {
        type: 'object',
        description: 'A target. (give one of these sets of properties: "to"; or "number")',
        properties: {
          id: { type: 'string' },
          kind: { enum: ['mail', 'call'] },
          to: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          number: { type: 'string' },
        },
        required: ['id', 'kind'],
      },
      strict: false,
      losses: ['/oneOf'],
      refusals: [],
    });
  });

  it('requires only what every variant of the root requires', () => {
    const variant = (...required: string[]) => ({ required });
    const { schema } = convert({
      ...inputOf({ type: 'string' }),
      anyOf: [variant('a', 'b'), variant('a', 'b', 'c'), variant('a')],
    });
    expect(schema.required).toEqual(['value', 'a']);
  });

  it('keeps the root closed if all variants are', () => {
    const variant = (name: string): JsonSchema => ({
      properties: { [name]: { type: 'string' } },
      additionalProperties: false,
    });
    const base = { type: 'object', properties: {} } as const;
    const closed = convert({ ...base, anyOf: [variant('a'), variant('b')] }).schema;
    expect(closed).toMatchObject({ additionalProperties: false });
    const open = convert({ ...base, anyOf: [variant('a'), {}] }).schema;
    expect(open).not.toHaveProperty('additionalProperties');
  });

  it('merges allOf and a reference at the root', () => {
    const converted = convert({
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ $ref: '#/$defs/B' }, { properties: { c: { type: 'string' } }, required: ['c'] }],
      $defs: { B: { type: 'object', properties: { b: { $ref: '#/allOf/1/properties/c' } } } },
    });
    expect(converted.losses).toEqual([]);
    expect(converted.schema).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' }, b: { $ref: '#/$defs/c' }, c: { type: 'string' } },
      required: ['c'],
      $defs: { c: { type: 'string' } },
    });
    expect(converted.schema).not.toHaveProperty('allOf');
  });

  it('comes to an end where a part that is left out says the same as a part of itself', () => {
    const { schema, losses } = convert({
      type: 'object',
      properties: {},
      allOf: [{ type: 'string', oneOf: [false as unknown as JsonSchema] }, { $ref: '#/allOf/0' }],
    });
    expect(schema.type).toBe('object');
    expect(losses).toContain('/allOf/0');
  });

  it('drops a negation and a list of values at the root', () => {
    const schema = inputOf({ type: 'string' });
    const { schema: converted, losses } = convert({ ...schema, not: {}, enum: [{ value: 'a' }] });
    expect(converted).toEqual(schema);
    expect(losses).toEqual(['/not', '/enum']);
  });
});
