import { describe, expect, it } from '@jest/globals';
import { toOllamaSchema, type JsonSchema } from 'nestjs-agent-tools';
import { inputOf } from './inputs.js';

const NODE: JsonSchema = {
  type: 'object',
  properties: { next: { $ref: '#/$defs/Node' } },
};
const ollama = (value: JsonSchema, more?: JsonSchema) => toOllamaSchema(inputOf(value, more));

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
