import { describe, expect, it } from '@jest/globals';
import { toOpenAIStrictSchema, type JsonSchema, type ObjectJsonSchema } from 'nestjs-agent-tools';
import { inputOf, openai, valueOf, chain, many, values } from './inputs.js';

describe('the strict dialect of OpenAI', () => {
  const optional = (value: JsonSchema, more: JsonSchema = {}) =>
    valueOf(toOpenAIStrictSchema({ ...more, type: 'object', properties: { value } }));

  it.each<[string, JsonSchema, JsonSchema]>([
    ['a scalar', { type: 'string' }, { type: ['string', 'null'] }],
    ['what takes null already', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['an enum', { enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['a const', { const: 1 }, { type: ['integer', 'null'], enum: [1, null] }],
    [
      'an object',
      { type: 'object', properties: {}, description: 'D' },
      {
        description: 'D',
        anyOf: [
          { type: 'object', properties: {}, required: [], additionalProperties: false },
          { type: 'null' },
        ],
      },
    ],
    [
      'a union',
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
    ],
    [
      'a reference',
      { $ref: '#/$defs/A', description: 'D' },
      { description: 'D', anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
    ],
    [
      'a default',
      { type: 'string', default: 'x' },
      { type: ['string', 'null'], description: 'default: "x"' },
    ],
  ])('requires %s that may be missing, or null', (_case, value, expected) => {
    expect(optional(value, { $defs: { A: { type: 'string' } } })).toEqual(expected);
  });

  it('requires every property', () => {
    const { schema } = toOpenAIStrictSchema({ ...many(3), required: ['p1'] });
    expect(schema.required).toEqual(['p0', 'p1', 'p2']);
  });

  it('takes a tool without input', () => {
    expect(toOpenAIStrictSchema({ type: 'object', properties: {} })).toEqual({
      schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
      strict: true,
      losses: [],
      refusals: [],
    });
  });

  it('keeps limits of numbers and lists, patterns, and the formats that it knows', () => {
    const number = { type: 'number', minimum: 1, exclusiveMaximum: 2, multipleOf: 0.5 };
    expect(valueOf(openai(number))).toEqual(number);
    const list = { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 };
    expect(valueOf(openai(list))).toEqual(list);
    for (const format of [
      'date-time',
      'time',
      'date',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uuid',
    ]) {
      expect(valueOf(openai({ type: 'string', format }))).toEqual({ type: 'string', format });
    }
    expect(openai({ type: 'string', format: 'uri' }).losses).toHaveLength(1);
    const pattern = { type: 'string', pattern: '^(a)\\1\\b' };
    expect(valueOf(openai(pattern))).toEqual(pattern);
  });

  it('takes recursion, through a definition and through the root', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    expect(openai({ $ref: '#/$defs/Node' }, { $defs: { Node: node } }).schema.$defs?.Node).toEqual({
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } },
      required: ['next'],
      additionalProperties: false,
    });
    expect(valueOf(openai({ type: 'array', items: { $ref: '#' } }))).toEqual({
      type: 'array',
      items: { $ref: '#' },
    });
  });

  it('falls back for recursion that only leads on', () => {
    const $defs = { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } };
    expect(openai({ $ref: '#/$defs/A' }, { $defs }).strict).toBe(false);
  });

  it.each<[string, ObjectJsonSchema, ObjectJsonSchema]>([
    ['5,000 properties', many(5_000), many(5_001)],
    ['10 levels', inputOf(chain(9)), inputOf(chain(10))],
    ['1,000 enum values', inputOf({ enum: values(1_000) }), inputOf({ enum: values(1_001) })],
    [
      '15,000 characters in an enum of more than 250 values',
      inputOf({ enum: values(250, 100) }),
      inputOf({ enum: values(251, 100) }),
    ],
    [
      '120,000 characters',
      many(1_000, (index) => `p${index}`.padStart(100)),
      many(1_201, (index) => `p${index}`.padStart(100)),
    ],
  ])('takes up to %s', (_case, within, beyond) => {
    expect(toOpenAIStrictSchema(within)).toMatchObject({ strict: true, refusals: [] });
    const { strict, schema, refusals } = toOpenAIStrictSchema(beyond);
    expect(strict).toBe(false);
    expect(schema).toEqual(beyond);
    expect(refusals).toHaveLength(1);
  });

  it('counts the levels behind references', () => {
    const $defs = { Deep: chain(9) };
    expect(openai({ $ref: '#/$defs/Deep' }, { $defs }).strict).toBe(true);
    expect(openai({ type: 'array', items: { $ref: '#/$defs/Deep' } }, { $defs }).strict).toBe(
      false,
    );
  });
});
