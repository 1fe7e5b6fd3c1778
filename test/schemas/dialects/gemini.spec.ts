import { describe, expect, it } from '@jest/globals';
import { toGeminiSchema, type JsonSchema } from 'nestjs-agent-tools';
import { inputOf } from './inputs.js';

const NODE: JsonSchema = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/Node' } },
};
const gemini = (value: JsonSchema, more?: JsonSchema) => toGeminiSchema(inputOf(value, more));

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

  it('does not merge what is additional to one with patterns of another', () => {
    const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
    const patterns = { type: 'object', patternProperties: { '^x-': { type: 'string' } } };
    for (const allOf of [
      [closed, patterns],
      [patterns, closed],
    ]) {
      const { schema, losses } = gemini({ allOf });
      expect(losses).toContain('/properties/value/allOf/1');
      expect(schema.properties.value.description).toContain('also {"type":"object"');
    }
  });

  it('lets no property through that a closed part of allOf does not name', () => {
    const closed = { properties: { a: { type: 'string' } }, additionalProperties: false };
    const other = { properties: { a: { type: 'string' }, b: { type: 'string' } } };
    const { schema } = gemini({ type: 'object', allOf: [closed, other] });
    expect(schema.properties.value).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    });
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
