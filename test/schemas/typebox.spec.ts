import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { Type as Type034, type Static } from '@sinclair/typebox';
import { Tool, ToolInput, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { Type } from 'typebox';
import { bootError, createApp } from '../support/app.js';

const Old = Type034.Object({
  count: Type034.Integer({ minimum: 1 }),
  unit: Type034.Union([Type034.Literal('kg'), Type034.Literal('lb')], { default: 'kg' }),
  level: Type034.Optional(Type034.Union([Type034.Literal('low'), Type034.Literal(3)])),
  point: Type034.Optional(Type034.Tuple([Type034.Number(), Type034.Number()])),
});

const New = Type.Object({
  count: Type.Integer({ minimum: 1 }),
  unit: Type.Union([Type.Literal('kg'), Type.Literal('lb')]),
  level: Type.Optional(Type.Enum(['low', 'high'])),
  point: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
});

const OldTree = Type034.Object({
  tree: Type034.Recursive((Self) =>
    Type034.Object({ name: Type034.String(), children: Type034.Optional(Type034.Array(Self)) }),
  ),
});

const NewTree = Type.Cyclic(
  {
    Node: Type.Object({
      name: Type.String(),
      children: Type.Optional(Type.Array(Type.Ref('Node'))),
    }),
  },
  'Node',
);

const received: unknown[] = [];

class Tools {
  @Tool({ description: '0.34', inputSchema: Old })
  old(@ToolInput() input: Static<typeof Old>) {
    received.push(input);
  }

  @Tool({ description: '1.x', inputSchema: New })
  new(@ToolInput() input: { count: number; unit: 'kg' | 'lb' }) {
    received.push(input);
  }

  @Tool({ description: 'Recursive, 0.34.', inputSchema: OldTree })
  oldTree(@ToolInput() input: Static<typeof OldTree>) {
    received.push(input);
  }

  @Tool({ description: 'Recursive, 1.x.', inputSchema: NewTree })
  newTree(@ToolInput() input: unknown) {
    received.push(input);
  }

  @Tool('Fields.')
  fields(
    @ToolParam('tags', { schema: Type034.Array(Type034.String()) }) tags: string[],
    @ToolParam('unit', { schema: Type.String({ default: 'kg' }) }) unit: string,
  ) {
    received.push([tags, unit]);
  }

  @Tool({
    description: 'An intersection.',
    inputSchema: Type034.Intersect([
      Type034.Object({ a: Type034.String() }),
      Type034.Object({ b: Type034.Number() }),
    ]),
  })
  both(@ToolInput() input: { a: string; b: number }) {
    received.push(input);
  }
}

let app: TestingModule;
afterEach(async () => {
  received.length = 0;
  await app.close();
});

async function call(name: string, args: unknown) {
  app = await createApp({ providers: [Tools] });
  const { status, content } = await callTool(app, name, args);
  return status === 'success' ? received[0] : content;
}

async function schemaOf(name: string) {
  app = await createApp({ providers: [Tools] });
  return app.get(ToolRegistry).get(name)?.inputSchema;
}

describe('a TypeBox schema', () => {
  it('goes to the model in canonical form: unions of literals are enums (0.34)', async () => {
    expect(await schemaOf('old')).toMatchObject({
      source: 'typebox',
      jsonSchema: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 1 },
          unit: { type: 'string', enum: ['kg', 'lb'], default: 'kg' },
          level: { type: ['string', 'number'], enum: ['low', 3] },
          point: {
            type: 'array',
            prefixItems: [{ type: 'number' }, { type: 'number' }],
            items: false,
            minItems: 2,
            maxItems: 2,
          },
        },
        required: ['count', 'unit'],
      },
    });
  });

  it('goes to the model in canonical form: unions of literals are enums (1.x)', async () => {
    expect(await schemaOf('new')).toMatchObject({
      source: 'typebox',
      jsonSchema: {
        properties: {
          unit: { type: 'string', enum: ['kg', 'lb'] },
          level: { type: 'string', enum: ['low', 'high'] },
          point: { prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
        },
        required: ['count', 'unit'],
      },
    });
  });

  it.each(['old', 'new'])('is validated as it was written (%s)', async (name) => {
    const input = { count: 2, unit: 'lb', level: 'low', point: [1, 2] };
    expect(await call(name, input)).toEqual(input);
    await app.close();
    const text = await call(name, { count: 0.5, unit: 'st', point: [1, 2, 3] });
    expect(text).toContain('- count: must be integer (got 0.5)');
    expect(text).toContain('- unit: must be one of ["kg","lb"] (got "st")');
    expect(text).toContain('- point: must NOT have more than 2 items');
  });

  it('has its defaults filled in', async () => {
    expect(await call('old', { count: 1 })).toEqual({ count: 1, unit: 'kg' });
  });

  it('may be recursive (0.34)', async () => {
    expect((await schemaOf('oldTree'))?.jsonSchema).toMatchObject({
      properties: { tree: { $ref: expect.stringMatching(/^#\/\$defs\/T\d+$/) } },
    });
    await app.close();
    const input = { tree: { name: 'a', children: [{ name: 'b' }] } };
    expect(await call('oldTree', input)).toEqual(input);
    await app.close();
    expect(await call('oldTree', { tree: { name: 'a', children: [{}] } })).toContain(
      '- tree.children.0.name: is required',
    );
  });

  it('may be recursive at its root (1.x)', async () => {
    expect((await schemaOf('newTree'))?.jsonSchema).toMatchObject({
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      $defs: { Node: { type: 'object' } },
    });
    await app.close();
    const input = { name: 'a', children: [{ name: 'b' }] };
    expect(await call('newTree', input)).toEqual(input);
  });

  it('may be an intersection of objects, which becomes one object', async () => {
    expect((await schemaOf('both'))?.jsonSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a', 'b'],
    });
    await app.close();
    expect(await call('both', { a: 'x' })).toContain('- b: is required');
  });

  it('may be a field, whose default makes it optional', async () => {
    expect((await schemaOf('fields'))?.jsonSchema.required).toEqual(['tags']);
    await app.close();
    expect(await call('fields', { tags: ['a'] })).toEqual([['a'], 'kg']);
  });

  it('with a type that JSON does not know is a boot error', async () => {
    class Dates {
      @Tool({ description: 'A date.', inputSchema: Type034.Object({ at: Type034.Date() }) })
      run(@ToolInput() input: { at: Date }) {
        return input;
      }
    }
    app = await createApp({});
    expect(await bootError({ providers: [Dates] })).toContain(
      `Dates.run: "at" is of the type Date, which JSON cannot describe. Write Type.String({ format: 'date-time' }) instead.`,
    );
  });
});
