import { describe, expect, it } from '@jest/globals';
import {
  toAnthropicStrictSchema,
  type JsonSchema,
  type ObjectJsonSchema,
} from 'nestjs-agent-tools';
import { anthropic, valueOf, many } from './inputs.js';

describe('the strict dialect of Anthropic', () => {
  it('leaves properties that may be missing as they are', () => {
    const { schema } = toAnthropicStrictSchema({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    });
    expect(schema.required).toEqual(['a']);
    expect(schema.properties.b).toEqual({ type: 'string' });
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'limits of numbers',
      { type: 'number', minimum: 1, exclusiveMaximum: 9, multipleOf: 2 },
      { type: 'number', description: 'at least 1; less than 9; a multiple of 2' },
    ],
    [
      'limits of lists',
      { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 },
      {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'at least 2 items; at most 3 items',
      },
    ],
    [
      'a reference to a group',
      { type: 'string', pattern: '(a)\\1' },
      { type: 'string', description: 'matches the pattern (a)\\1' },
    ],
    [
      'the border of a word',
      { type: 'string', pattern: '\\ba' },
      { type: 'string', description: 'matches the pattern \\ba' },
    ],
  ])('puts %s into words', (_case, value, expected) => {
    expect(valueOf(anthropic(value))).toEqual(expected);
  });

  it('keeps a minimum of one item, the format uri and a plain pattern', () => {
    const list = { type: 'array', items: { type: 'string', format: 'uri' }, minItems: 1 };
    expect(valueOf(anthropic(list))).toEqual(list);
    const pattern = { type: 'string', pattern: '^\\\\b\\d$' };
    expect(valueOf(anthropic(pattern))).toEqual(pattern);
  });

  it('falls back for recursion', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    expect(anthropic({ $ref: '#/$defs/Node' }, { $defs: { Node: node } })).toMatchObject({
      strict: false,
      refusals: ['/$defs/Node/properties/next/$ref: recursion'],
    });
    expect(anthropic({ type: 'array', items: { $ref: '#' } }).strict).toBe(false);
  });

  it('falls back beyond 24 properties that may be missing, or 16 unions', () => {
    expect(toAnthropicStrictSchema(many(24)).strict).toBe(true);
    expect(toAnthropicStrictSchema(many(25)).refusals).toHaveLength(1);
    const unions = (count: number): ObjectJsonSchema => {
      const { properties } = many(count);
      const names = Object.keys(properties);
      const union = { type: ['string', 'null'] };
      const entries = names.map((name) => [name, union] as const);
      return { type: 'object', properties: Object.fromEntries(entries), required: names };
    };
    expect(toAnthropicStrictSchema(unions(16)).strict).toBe(true);
    expect(toAnthropicStrictSchema(unions(17)).refusals).toHaveLength(1);
  });
});
