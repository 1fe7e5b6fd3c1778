import { expect, describe, it } from '@jest/globals';
import { type } from 'arktype';
import { Tool, ToolInput, ToolRegistry } from 'nestjs-agent-tools';
import * as v from 'valibot';
import { z } from 'zod';
import { bootError, createApp } from '../support/app.js';

/** The part of the boot error that says what is wrong with the schema. */
async function problemWith(inputSchema: never): Promise<string> {
  class Host {
    @Tool({ description: 'Anything.', inputSchema })
    run(@ToolInput() input: unknown) {
      return input;
    }
  }
  return bootError({ providers: [Host] });
}

const RULES: [string, unknown, string][] = [
  [
    'zod: a date',
    z.object({ order: z.object({ dates: z.array(z.date()) }) }),
    'zod cannot describe this schema as JSON Schema: "order.dates[]" is of the type date, which JSON cannot ' +
      'describe. Write z.iso.datetime(), or z.codec(z.iso.datetime(), z.date(), …) where the method needs a Date, instead.',
  ],
  ['zod: a coerced date', z.object({ at: z.coerce.date() }), '"at" is of the type date'],
  ['zod: an optional date', z.object({ at: z.date().optional() }), '"at" is of the type date'],
  [
    'zod: a date of a union',
    z.object({ at: z.union([z.string(), z.date()]) }),
    '"at" is of the type date',
  ],
  [
    'zod: a date of a record',
    z.object({ all: z.record(z.string(), z.date()) }),
    '"all.*" is of the type date',
  ],
  [
    'zod: a date of a tuple',
    z.object({ pair: z.tuple([z.string(), z.date()]) }),
    '"pair[1]" is of the type date',
  ],
  [
    'zod: a date behind a reference',
    z.object({ tree: z.object({ at: z.date() }).meta({ id: 'Stamp' }) }),
    '"tree.at" is of the type date',
  ],
  [
    'zod: a bigint',
    z.object({ n: z.bigint() }),
    'Write z.int(), or z.string() for its digits, instead',
  ],
  ['zod: a bigint literal', z.object({ n: z.literal([1n]) }), '"n" is of the type bigint'],
  ['zod: a map', z.object({ m: z.map(z.string(), z.string()) }), 'Write z.record() instead'],
  ['zod: a set', z.object({ s: z.set(z.string()) }), 'Write z.array() instead'],
  ['zod: undefined', z.object({ u: z.undefined() }), 'Write .optional() instead'],
  [
    'zod: a transform of anything',
    z.object({ t: z.transform((x) => x) }),
    'Write z.string().transform(…) instead',
  ],
  ['zod: a file', z.object({ f: z.file() }), 'Write z.url(), or z.base64(), instead'],
  ['zod: a symbol', z.object({ s: z.symbol() }), '"s" is of the type symbol'],
  ['zod: an instance', z.object({ i: z.instanceof(URL) }), '"i" is of the type custom'],
  [
    'zod: untyped items',
    z.object({ list: z.array(z.any()) }),
    '"list" is an array whose items have no type. Write z.array(z.string())',
  ],
  [
    'zod: items with only a description',
    z.object({ list: z.array(z.unknown().describe('x')) }),
    '"list" is an array whose items have no type',
  ],
  [
    'arktype: a date',
    type({ order: { at: 'Date' } }),
    'arktype cannot describe this schema as JSON Schema: "order.at" is of the type date, which JSON cannot describe. Write "string.date.iso.parse" instead.',
  ],
  [
    'arktype: a bigint',
    type({ n: 'bigint' }),
    'Write "number.integer", or "string.digits", instead',
  ],
  ['arktype: a map', type({ m: 'Map' }), 'Write "Record<string, …>" instead'],
  [
    'arktype: untyped items',
    type({ list: 'unknown[]' }),
    '"list" is an array whose items have no type. Write "string[]"',
  ],
  [
    'valibot: a date',
    v.object({ dates: v.array(v.date()) }),
    'valibot cannot describe this schema as JSON Schema: "dates[]" is of the type date, which JSON cannot describe. Write v.pipe(v.string(), v.isoTimestamp()), with v.toDate() where the method needs a Date, instead.',
  ],
  ['valibot: a map', v.object({ m: v.map(v.string(), v.string()) }), 'Write v.record() instead'],
  [
    'valibot: untyped items',
    v.object({ list: v.array(v.any()) }),
    'Write v.array(v.string()), for example',
  ],
  [
    'no object: zod',
    z.array(z.string()),
    'The input of a tool must be an object, but the schema describes "array"',
  ],
  ['fields without an object', { orderNo: z.string() }, 'Wrap it in z.object()'],
  ['no schema', 'text', '"text" is not a schema. Give a zod, arktype or valibot schema, a class'],
];

describe('what JSON cannot describe is a boot error with its path and what to write', () => {
  it.each(RULES)('%s', async (_what, schema, expected) => {
    expect(await problemWith(schema as never)).toContain(expected);
  });

  it('names all places at once', async () => {
    const message = await problemWith(z.object({ a: z.date(), b: z.bigint() }) as never);
    expect(message).toContain('"a" is of the type date');
    expect(message).toContain('"b" is of the type bigint');
  });

  it('of a library that says only that it cannot', async () => {
    const foreign = {
      '~standard': {
        version: 1,
        vendor: 'mine',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw new Error('no dates.\nMore of it.');
          },
          output: () => ({}),
        },
      },
    };
    expect(await problemWith(foreign as never)).toContain(
      'mine cannot describe this schema as JSON Schema: no dates. Use a type that JSON knows',
    );
  });

  it('of a version that does not describe itself', async () => {
    const old = (vendor: string) =>
      ({ '~standard': { version: 1, vendor, validate: () => ({ value: 1 }) } }) as never;
    expect(await problemWith(old('zod'))).toContain('Update zod to 4.2 or later');
    expect(await problemWith(old('mine'))).toContain(
      'Use a version of mine that implements Standard JSON Schema',
    );
  });
});

describe('what JSON can describe', () => {
  it('starts: codecs, transforms, and values of any type on purpose', async () => {
    class Host {
      @Tool({
        description: 'zod.',
        inputSchema: z.object({
          at: z.codec(z.iso.datetime(), z.date(), {
            decode: (t) => new Date(t),
            encode: (d) => d.toISOString(),
          }),
          n: z.string().transform(Number),
          any: z.any(),
          record: z.record(z.string(), z.unknown()),
        }),
      })
      zod(@ToolInput() input: unknown) {
        return input;
      }
      @Tool({
        description: 'arktype.',
        inputSchema: type({
          at: 'string.date.iso.parse',
          any: 'unknown',
          n: 'string.integer.parse',
        }),
      })
      arktype(@ToolInput() input: unknown) {
        return input;
      }
      @Tool({
        description: 'valibot.',
        inputSchema: v.object({
          at: v.pipe(v.string(), v.isoTimestamp(), v.toDate()),
          any: v.any(),
        }),
      })
      valibot(@ToolInput() input: unknown) {
        return input;
      }
      @Tool({
        description: 'What others wrote is taken as it is.',
        inputSchema: { type: 'object', properties: { list: { type: 'array' }, any: {} } },
      })
      raw(@ToolInput() input: unknown) {
        return input;
      }
    }
    const app = await createApp({ providers: [Host] });
    expect(app.get(ToolRegistry).list()).toHaveLength(4);
    await app.close();
  });
});
