import { describe, expect, it } from '@jest/globals';
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

  it('still has all its problems told where it is not deep', async () => {
    const validate = fromJsonSchema(SCHEMA)?.['~standard'].validate;
    const filter = { op: 'or', args: [{ field: 5 }, { op: 'and', args: 5 }] };
    const paths = (await validate?.({ filter }))?.issues?.map(({ path }) => path?.join('.'));
    expect(paths).toEqual(expect.arrayContaining(['filter.args.0.field', 'filter.args.1.args']));
  });
});
