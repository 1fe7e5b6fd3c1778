import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from 'nestjs-agent-tools';
import { fromJsonSchema } from '../../libs/agent-tools/src/schemas/sources/json-schema.source.js';

function group(op: string) {
  return {
    type: 'object',
    properties: {
      args: { type: 'array', items: { $ref: '#/$defs/Filter' } },
      op: { const: op },
      not: { type: 'boolean', default: false },
    },
    required: ['op', 'args'],
    additionalProperties: false,
  };
}

const SCHEMA = {
  type: 'object',
  properties: { filter: { $ref: '#/$defs/Filter' } },
  $defs: {
    Filter: {
      anyOf: [
        group('and'),
        group('or'),
        { type: 'object', properties: { field: { type: 'string' } }, required: ['field'] },
      ],
    },
  },
};

/** Nothing that a model sends may keep the process busy for long. */
describe('a union that contains itself', () => {
  it.each([
    ['right', { field: 'a' }],
    ['wrong', { field: 5 }],
  ])('is validated in little time, however deep a %s value is', async (kind, leaf) => {
    let filter: unknown = leaf;
    for (let depth = 0; depth < 40; depth++) filter = { args: [filter], op: 'or' };
    const validate = fromJsonSchema(SCHEMA)?.['~standard'].validate;
    const started = performance.now();
    const result = await validate?.({ filter });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(result?.issues === undefined).toBe(kind === 'right');
    // The defaults of each level are filled in.
    expect(JSON.stringify(result).includes('"not":false')).toBe(kind === 'right');
  });

  const EXPRESSION = (branch: (op: string, rest: object) => object, $defs: object = {}) => ({
    type: 'object',
    properties: { e: { $ref: '#/$defs/E' } },
    $defs: {
      E: {
        anyOf: [
          branch('lit', { v: { type: 'number' } }),
          branch('and', { left: { $ref: '#/$defs/E' }, right: { $ref: '#/$defs/E' } }),
          branch('or', { left: { $ref: '#/$defs/E' }, right: { $ref: '#/$defs/E' } }),
        ],
      },
      ...$defs,
    },
  });
  const plain = (op: string, rest: object) => ({
    type: 'object',
    properties: { ...rest, op: { const: op } },
    required: ['op', ...Object.keys(rest)],
  });

  it.each<[string, JsonSchema]>([
    ['values in the branch', EXPRESSION(plain)],
    [
      'values behind references',
      EXPRESSION(
        (op, rest) => ({
          type: 'object',
          properties: { ...rest, op: { $ref: `#/$defs/${op}` } },
          required: ['op'],
        }),
        { lit: { const: 'lit' }, and: { const: 'and' }, or: { const: 'or' } },
      ),
    ],
    [
      'values in allOf',
      EXPRESSION((op, rest) => ({
        allOf: [
          { type: 'object', properties: rest },
          { properties: { op: { const: op } }, required: ['op'] },
        ],
      })),
    ],
    [
      'no values',
      EXPRESSION((_op, rest) => ({
        type: 'object',
        properties: rest,
        required: Object.keys(rest),
      })),
    ],
  ])('takes little time with %s, right or wrong', async (_, schema) => {
    const validate = fromJsonSchema(schema)?.['~standard'].validate;
    for (const v of [1, 'BAD']) {
      for (const depth of [8, 15, 30]) {
        let e: object = { op: 'lit', v };
        for (let level = 0; level < depth; level++)
          e = { left: e, right: { op: 'lit', v: 2 }, op: 'or' };
        const started = performance.now();
        const result = await validate?.({ e });
        expect(performance.now() - started).toBeLessThan(1_500);
        // Without values to tell the branches apart, only so much is looked at.
        expect(result?.issues === undefined).toBe(v === 1 && (_ !== 'no values' || depth < 15));
      }
    }
  });

  it('still has all its problems told where it is not deep', async () => {
    const validate = fromJsonSchema(SCHEMA)?.['~standard'].validate;
    const filter = { op: 'or', args: [{ field: 5 }, { op: 'and', args: 5 }] };
    const paths = (await validate?.({ filter }))?.issues?.map(({ path }) => path?.join('.'));
    expect(paths).toEqual(expect.arrayContaining(['filter.args.0.field', 'filter.args.1.args']));
  });
});
