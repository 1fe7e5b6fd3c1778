import { describe, expect, it } from '@jest/globals';
import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  toGeminiSchema,
  toOllamaSchema,
  toOpenAiSchema,
  toOpenAiStrictSchema,
  type JsonSchema,
  type ObjectJsonSchema,
} from 'nestjs-agent-tools';

const inputOf = (value: JsonSchema, more: JsonSchema = {}): ObjectJsonSchema => ({
  ...more,
  type: 'object',
  properties: { value },
  required: ['value'],
});
const gemini = (value: JsonSchema, more?: JsonSchema) => toGeminiSchema(inputOf(value, more));
const ollama = (value: JsonSchema, more?: JsonSchema) => toOllamaSchema(inputOf(value, more));
const NODE: JsonSchema = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/Node' } },
};

describe.each([
  ['OpenAI', toOpenAiSchema],
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

  it('drops a negation and a list of values at the root', () => {
    const schema = inputOf({ type: 'string' });
    const { schema: converted, losses } = convert({ ...schema, not: {}, enum: [{ value: 'a' }] });
    expect(converted).toEqual(schema);
    expect(losses).toEqual(['/not', '/enum']);
  });
});

describe('the dialect of Gemini', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ['const', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['an enum of numbers', { enum: [1, 2] }, { type: 'integer', enum: [1, 2] }],
    [
      'an enum that takes null',
      { type: ['string', 'null'], enum: ['a', null] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    ['both booleans', { enum: [true, false] }, { type: 'boolean' }],
    ['null', { const: null }, { type: 'null' }],
    ['a list of types', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'exclusive limits of integers',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10, minimum: -5 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      { type: 'array', prefixItems: [{ type: 'string' }], maxItems: 1 },
    ],
    [
      'a record',
      { type: 'object', additionalProperties: { const: 1 } },
      { type: 'object', additionalProperties: { type: 'integer', enum: [1] } },
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'allOf',
      { allOf: [{ type: 'array' }, { maxItems: 2 }, { maxItems: 3 }] },
      { type: 'array', maxItems: 2 },
    ],
    [
      'a described reference',
      { $ref: '#/$defs/A', description: 'An A.' },
      { description: 'An A.', anyOf: [{ $ref: '#/$defs/A' }] },
    ],
  ])('converts %s without a loss', (_case, value, expected) => {
    const converted = gemini(value, { $defs: { A: { type: 'string' } } });
    expect(converted.schema.properties.value).toEqual(expected);
    expect(converted).toMatchObject({ strict: false, losses: [] });
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'exclusiveMinimum',
      { type: 'number', exclusiveMinimum: 0.5 },
      { type: 'number', minimum: 0.5, description: 'greater than 0.5' },
    ],
    ['enum', { enum: [true] }, { type: 'boolean', description: 'one of true' }],
    [
      'format',
      { type: 'string', format: 'date' },
      { type: 'string', description: 'in the format "date"' },
    ],
    [
      'pattern',
      { type: 'string', pattern: '^a$' },
      { type: 'string', description: 'matches the pattern ^a$' },
    ],
    [
      'multipleOf',
      { type: 'integer', multipleOf: 5 },
      { type: 'integer', description: 'a multiple of 5' },
    ],
    [
      'required',
      { type: 'object', properties: {}, required: ['a'] },
      { type: 'object', properties: {}, required: [], description: '"a" required' },
    ],
    ['not', { not: { type: 'null' } }, { description: 'not {"type":"null"}' }],
  ])('puts %s into words, and names the loss', (keyword, value, expected) => {
    const { schema, losses } = gemini(value);
    expect(schema.properties.value).toEqual(expected);
    expect(losses).toEqual([`/properties/value/${keyword}`]);
  });

  it('does not forbid what a dropped pattern of names allowed', () => {
    const { schema } = gemini({
      type: 'object',
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: false,
    });
    expect(schema.properties.value).not.toHaveProperty('additionalProperties');
  });

  it('keeps recursion in properties that may be missing, and cuts any other', () => {
    const optional = gemini({ $ref: '#/$defs/Node' }, { $defs: { Node: NODE } });
    expect(optional.losses).toEqual([]);
    expect(optional.schema.$defs?.Node.properties).toEqual({ next: { $ref: '#/$defs/Node' } });

    const required = { ...NODE, required: ['next'] };
    const cut = gemini({ $ref: '#/$defs/Node' }, { $defs: { Node: required } });
    expect(cut.losses).toEqual(['/$defs/Node/properties/next/$ref']);
    expect(cut.schema.$defs?.Node.properties).toEqual({
      next: { type: 'object', description: 'same structure as "Node"' },
    });
  });
});

describe('the dialect of Ollama and llama.cpp', () => {
  it('keeps what they read, and puts the rest into words', () => {
    const { schema, losses } = ollama({
      type: 'object',
      description: 'An address.',
      properties: {
        zip: { type: 'string', minLength: 5, maxLength: 5, default: '00000' },
        kind: { const: 'home' },
        mixed: { enum: ['a', 1] },
        more: { type: ['string', 'null'] },
      },
      required: ['zip'],
      additionalProperties: { type: 'string' },
    });
    expect(schema.properties.value).toEqual({
      type: 'object',
      description: 'An address. (other properties are {"type":"string"})',
      properties: {
        zip: {
          type: 'string',
          description: 'at least 5 characters; at most 5 characters; default: "00000"',
        },
        kind: { type: 'string', enum: ['home'] },
        mixed: {
          anyOf: [
            { type: 'string', enum: ['a'] },
            { type: 'integer', enum: [1] },
          ],
        },
        more: { type: ['string', 'null'] },
      },
      required: ['zip'],
    });
    expect(losses).toHaveLength(4);
  });

  it('says nothing of a closed object, which is what they take it for', () => {
    const { schema } = ollama({ type: 'object', properties: {}, additionalProperties: false });
    expect(schema.properties.value).toEqual({ type: 'object', properties: {} });
  });

  it('replaces references by what they lead to', () => {
    const $defs = {
      A: { type: 'string', minLength: 1 },
      B: { type: 'array', items: { $ref: '#/$defs/A', description: 'An A.' } },
    };
    const { schema, losses } = ollama({ $ref: '#/$defs/B' }, { $defs });
    expect(schema).toEqual(
      inputOf({
        type: 'array',
        items: { type: 'string', description: 'An A. (at least 1 character)' },
      }),
    );
    expect(losses).toEqual(['/$defs/A/minLength']);
  });

  it('cuts recursion', () => {
    const { schema, losses } = ollama({ $ref: '#/$defs/Node' }, { $defs: { Node: NODE } });
    expect(schema.properties.value).toEqual({
      type: 'object',
      properties: { next: { type: 'object', description: 'same structure as "Node"' } },
    });
    expect(losses).toEqual(['/$defs/Node/properties/next/$ref']);
    expect(ollama({ type: 'array', items: { $ref: '#' } }).schema.properties.value).toEqual({
      type: 'array',
      items: { type: 'object', description: 'same structure as the whole input' },
    });
  });

  it('does not grow without end where definitions refer to each other many times over', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/$defs/D${index + 1}` };
        return [`D${index}`, { type: 'object', properties: { a: next, b: next, c: next } }];
      }),
    );
    const { schema } = ollama({ $ref: '#/$defs/D0' }, { $defs: { ...$defs, D30: {} } });
    expect(JSON.stringify(schema).length).toBeLessThan(200_000);
  });

  it('moves what stands beside anyOf into the variants', () => {
    const { schema } = ollama({
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { properties: { b: { type: 'string' } } }],
    });
    const variants = schema.properties.value.anyOf as JsonSchema[];
    expect(Object.keys(schema.properties.value)).toEqual(['anyOf']);
    expect(variants.map(({ properties }) => Object.keys(properties ?? {}))).toEqual([
      ['a'],
      ['a', 'b'],
    ]);
  });
});

describe.each([
  ['OpenAI', toOpenAiSchema],
  ['OpenAI strict', toOpenAiStrictSchema],
  ['Anthropic', toAnthropicSchema],
  ['Anthropic strict', toAnthropicStrictSchema],
  ['Gemini', toGeminiSchema],
  ['Ollama', toOllamaSchema],
])('the dialect %s', (_name, convert) => {
  it('converts 1,000 simple tools in no noticeable time', () => {
    const time = (): number => {
      const schemas = Array.from({ length: 1_000 }, (_, index) =>
        inputOf({ type: 'string', description: `No. ${index}` }, { additionalProperties: false }),
      );
      const start = performance.now();
      for (const schema of schemas) convert(schema);
      return performance.now() - start;
    };
    // The best of several, as other processes take their share.
    expect(Math.min(...Array.from({ length: 8 }, time))).toBeLessThan(60);
  });
});
