import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { Tool, ToolInput, ToolParam, ToolRegistry } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import * as v from 'valibot';
import { createApp } from '../support/app.js';

const Order = v.object({
  count: v.pipe(v.number(), v.integer(), v.minValue(1)),
  unit: v.optional(v.picklist(['kg', 'lb']), 'kg'),
  at: v.optional(v.pipe(v.string(), v.isoTimestamp(), v.toDate())),
  code: v.optional(
    v.pipe(
      v.string(),
      v.check((code) => code !== 'bad', 'is bad'),
    ),
  ),
});

interface Node {
  name: string;
  children?: Node[];
}
const Tree: v.GenericSchema<Node> = v.object({
  name: v.string(),
  children: v.optional(v.array(v.lazy(() => Tree))),
});

const received: unknown[] = [];

class Orders {
  @Tool({ description: 'Orders.', inputSchema: Order })
  order(@ToolInput() input: v.InferOutput<typeof Order>) {
    received.push(input);
  }

  @Tool({ description: 'Wrapped already.', inputSchema: toStandardJsonSchema(Order) })
  wrapped(@ToolInput() input: v.InferOutput<typeof Order>) {
    received.push(input);
  }

  @Tool({ description: 'A tree.', inputSchema: Tree })
  tree(@ToolInput() input: Node) {
    received.push(input);
  }

  @Tool('Fields.')
  fields(
    @ToolParam('tags', { schema: v.array(v.string()) }) tags: string[],
    @ToolParam('unit', { schema: v.optional(v.string(), 'kg') }) unit: string,
  ) {
    received.push([tags, unit]);
  }

  @Tool({
    description: 'An intersection.',
    inputSchema: v.intersect([v.object({ a: v.string() }), v.object({ b: v.number() })]),
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
  app = await createApp({ providers: [Orders] });
  const { status, content } = await callTool(app, name, args);
  return status === 'success' ? received[0] : content;
}

async function schemaOf(name: string) {
  app = await createApp({ providers: [Orders] });
  return app.get(ToolRegistry).get(name)?.inputSchema;
}

describe('a valibot schema', () => {
  it('is described on its input side by @valibot/to-json-schema', async () => {
    expect(await schemaOf('order')).toMatchObject({
      source: 'valibot',
      jsonSchema: {
        type: 'object',
        properties: {
          count: { type: 'integer', minimum: 1 },
          unit: { type: 'string', enum: ['kg', 'lb'], default: 'kg' },
          at: { type: 'string', format: 'date-time' },
          code: { type: 'string' },
        },
        required: ['count'],
      },
    });
  });

  it('is validated by valibot, defaults, transforms and checks included', async () => {
    expect(await call('order', { count: 2, at: '2026-01-02T03:04:05Z' })).toEqual({
      count: 2,
      unit: 'kg',
      at: new Date('2026-01-02T03:04:05Z'),
    });
    await app.close();
    expect(await call('order', { count: 0.5, unit: 'st', code: 'bad', more: 1 })).toMatch(
      /- count: .*\n(- count: .*\n)?- unit: .*\n- code: is bad.*\n- more: is not an argument/,
    );
  });

  it('may be converted by the application itself', async () => {
    expect((await schemaOf('wrapped'))?.jsonSchema.required).toEqual(['count']);
    await app.close();
    expect(await call('wrapped', { count: 1 })).toEqual({ count: 1, unit: 'kg' });
  });

  it('may refer to itself', async () => {
    const json = JSON.stringify((await schemaOf('tree'))?.jsonSchema);
    expect(json).toContain('"$ref"');
    expect(JSON.parse(json)).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array' } },
    });
    await app.close();
    const tree = { name: 'a', children: [{ name: 'b' }] };
    expect(await call('tree', tree)).toEqual(tree);
  });

  it('may be an intersection of objects, which becomes one object', async () => {
    expect((await schemaOf('both'))?.jsonSchema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a', 'b'],
    });
    await app.close();
    expect(await call('both', { a: 'x', b: 1 })).toEqual({ a: 'x', b: 1 });
  });

  it('may be a field, whose default makes it optional', async () => {
    expect((await schemaOf('fields'))?.jsonSchema).toMatchObject({
      properties: { tags: { items: { type: 'string' } }, unit: { default: 'kg' } },
      required: ['tags'],
    });
    await app.close();
    expect(await call('fields', { tags: ['a'] })).toEqual([['a'], 'kg']);
    await app.close();
    expect(await call('fields', { tags: [1] })).toContain('- tags.0: ');
  });
});
