import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { ToolRegistry, type AgentTool, type JsonSchema } from 'nestjs-agent-tools';
import { callTool } from 'nestjs-agent-tools/testing';
import { fromJsonSchema } from '../../libs/agent-tools/src/schemas/sources/json-schema.source.js';
import { createApp } from '../support/app.js';

let app: TestingModule;
afterEach(() => app.close());

class RawTool implements AgentTool {
  readonly name = 'raw';
  readonly description = 'Anything.';
  readonly received: unknown[] = [];

  constructor(readonly inputSchema: JsonSchema) {}

  execute(input: unknown) {
    this.received.push(input);
  }
}

async function register(schema: JsonSchema): Promise<RawTool> {
  app = await createApp({});
  const tool = new RawTool(schema);
  await app.get(ToolRegistry).register(tool);
  return tool;
}

async function canonical(schema: JsonSchema) {
  await register(schema);
  return app.get(ToolRegistry).get('raw')?.inputSchema.jsonSchema;
}

/** What the tool receives, or the problems that the model is told. */
async function call(schema: JsonSchema, args: object): Promise<unknown> {
  const tool = await register(schema);
  const { status, content } = await callTool(app, 'raw', args);
  if (status === 'success') return tool.received[0];
  return (content as string).split('\n').slice(1, -1);
}

async function problem(schema: JsonSchema): Promise<string> {
  return register(schema).then(
    () => 'none',
    (error: Error) => error.message,
  );
}

const property = (schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { a: schema },
});

describe('the canonical form of a raw JSON Schema', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    [
      'turns a tuple of draft-07 into prefixItems',
      { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } },
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    ],
    [
      'closes a tuple',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'turns `nullable` into a type',
      { type: 'string', nullable: true, enum: ['x'] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
    [
      'turns `nullable` beside a union into a branch',
      { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true, description: 'D' },
      {
        description: 'D',
        anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }],
      },
    ],
    [
      'turns boolean limits into numbers',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { type: 'number', exclusiveMinimum: 1, maximum: 9 },
    ],
    [
      'turns `example` into examples',
      { type: 'string', example: 'x' },
      { type: 'string', examples: ['x'] },
    ],
    [
      'turns a union of literals into an enum',
      { oneOf: [{ const: 'x' }, { const: 'y', type: 'string' }, { enum: ['z'] }], title: 'T' },
      { type: 'string', enum: ['x', 'y', 'z'], title: 'T' },
    ],
    [
      'keeps literals that have a description each',
      {
        anyOf: [
          { const: 'x', description: 'X' },
          { const: 'y', description: 'Y' },
        ],
      },
      {
        anyOf: [
          { const: 'x', description: 'X' },
          { const: 'y', description: 'Y' },
        ],
      },
    ],
    [
      'splits `dependencies`',
      { type: 'object', dependencies: { b: ['c'], d: { required: ['e'] } } },
      {
        type: 'object',
        dependentRequired: { b: ['c'] },
        dependentSchemas: { d: { required: ['e'] } },
      },
    ],
    [
      'touches no value and no name',
      {
        type: 'object',
        properties: {
          nullable: { type: 'boolean' },
          items: { type: 'string' },
          example: { type: 'number' },
        },
        default: { nullable: true, example: 1 },
        enum: [{ example: 1, nullable: true }],
      },
      {
        type: 'object',
        properties: {
          nullable: { type: 'boolean' },
          items: { type: 'string' },
          example: { type: 'number' },
        },
        default: { nullable: true, example: 1 },
        enum: [{ example: 1, nullable: true }],
      },
    ],
  ])('%s', async (_what, given, expected) => {
    expect(await canonical(property(given))).toEqual(property(expected));
  });

  it('has its definitions in $defs', async () => {
    expect(
      await canonical({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/order.json',
        type: 'object',
        properties: {
          a: { $ref: '#/definitions/Item' },
          b: { $ref: 'https://example.com/order.json#/definitions/Item' },
        },
        definitions: { Item: { type: 'string' } },
      }),
    ).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Item' }, b: { $ref: '#/$defs/Item' } },
      $defs: { Item: { type: 'string' } },
    });
  });

  it('has no reference at its root', async () => {
    expect(
      await canonical({
        $ref: '#/definitions/Order',
        description: 'D',
        definitions: {
          Order: { type: 'object', properties: { item: { $ref: '#/definitions/Item' } } },
          Item: { type: 'string' },
        },
      }),
    ).toEqual({
      type: 'object',
      description: 'D',
      properties: { item: { $ref: '#/$defs/Item' } },
      $defs: { Item: { type: 'string' } },
    });
  });

  it('keeps the definition of a root that refers to itself', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    expect(await canonical({ $ref: '#/$defs/Node', $defs: { Node: node } })).toEqual({
      ...node,
      $defs: { Node: node },
    });
  });

  it('refers to embedded ids and anchors by a path', async () => {
    expect(
      await canonical({
        type: 'object',
        properties: {
          a: { $id: 'item', type: 'string' },
          b: { $ref: 'item' },
          c: { $ref: '#here' },
          d: { $ref: 'https://example.com/order.json#here' },
        },
        $id: 'https://example.com/order.json',
        $defs: { There: { $anchor: 'here', type: 'number' } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { $ref: '#/$defs/item' },
        b: { $ref: '#/$defs/item' },
        c: { $ref: '#/$defs/There' },
        d: { $ref: '#/$defs/There' },
      },
      $defs: { There: { type: 'number' }, item: { type: 'string' } },
    });
  });

  it.each<[string, JsonSchema]>([
    ['the same property twice', { type: 'object', properties: { a: { type: 'string' } } }],
    ['a condition', { type: 'object', not: { required: ['b'] } }],
    ['a closed object', { type: 'object', properties: {}, additionalProperties: false }],
  ])('keeps an intersection that cannot be merged: %s', async (_what, part) => {
    const schema = { type: 'object', properties: { a: { minLength: 2 } }, allOf: [part] };
    expect(await canonical(schema)).toEqual(schema);
  });

  it('leaves the given schema alone', async () => {
    const given = property({ type: 'array', items: [{ type: 'string', nullable: true }] });
    const before = structuredClone(given);
    await canonical(given);
    expect(given).toEqual(before);
  });
});

describe('a raw JSON Schema is validated as it was written', () => {
  it('draft-07, recognised by its tuples', async () => {
    const schema = property({ type: 'array', items: [{ type: 'string' }], additionalItems: false });
    expect(await call(schema, { a: ['x'] })).toEqual({ a: ['x'] });
    await app.close();
    expect(await call(schema, { a: [1, 2] })).toEqual([
      expect.stringContaining('- a: must NOT have more than 1 items'),
      '- a.0: must be string (got 1)',
    ]);
  });

  it('draft 2019-09', async () => {
    const $schema = 'https://json-schema.org/draft/2019-09/schema';
    const schema = { $schema, ...property({ type: 'array', items: [{ type: 'string' }] }) };
    expect(await call(schema, { a: [1] })).toEqual(['- a.0: must be string (got 1)']);
  });

  it('OpenAPI 3.0, with `nullable` and boolean limits', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        a: { type: 'number', minimum: 1, exclusiveMinimum: true },
        b: { type: 'string', nullable: true },
      },
    };
    expect(await call(schema, { a: 2, b: null })).toEqual({ a: 2, b: null });
    await app.close();
    expect(await call(schema, { a: 1 })).toEqual(['- a: must be > 1 (got 1)']);
  });

  it('with the same $id in two tools', async () => {
    const schema = (type: string) => ({ $id: 'https://example.com/a', ...property({ type }) });
    expect(await call(schema('string'), { a: 'x' })).toEqual({ a: 'x' });
    await app.close();
    expect(await call(schema('boolean'), { a: true })).toEqual({ a: true });
  });
});

describe('a mistake in a raw JSON Schema', () => {
  it.each<[string, JsonSchema, string]>([
    ['a misspelt type', property({ type: 'strin' }), 'This is not a valid JSON Schema'],
    [
      'a broken pattern',
      property({ type: 'string', pattern: '(' }),
      'This is not a valid JSON Schema',
    ],
    [
      'an unknown dialect',
      { $schema: 'http://example.com/mine', ...property({ type: 'string' }) },
      'The JSON Schema dialect "http://example.com/mine" is not supported. Write the schema in draft 2020-12',
    ],
    [
      'a reference to nowhere',
      property({ type: 'array', items: { $ref: '#/$defs/Missing' } }),
      '"a[]" refers to "#/$defs/Missing", which is not in the schema. Put it into `$defs`.',
    ],
    [
      'a root that is no object',
      { type: 'array', items: { type: 'string' } },
      'The input of a tool must be an object, but the schema describes "array". Wrap it in an object with one named property.',
    ],
    [
      'a union at the root',
      { anyOf: [{ type: 'object' }, { type: 'string' }] },
      'the schema describes "anyOf" at its root',
    ],
  ])('is told when the tool is registered: %s', async (_what, schema, expected) => {
    expect(await problem(schema)).toContain(expected);
  });
});

describe('a raw JSON Schema that holds itself as an object', () => {
  it('is refused with the place', async () => {
    const node: Record<string, unknown> = { type: 'object' };
    node.properties = { kids: { type: 'array', items: node } };
    expect(await problem(property(node))).toContain(
      'This JSON Schema holds itself at "#/properties/a/properties/kids/items". Write a `$ref` there',
    );
  });

  it('may use one object in several places', async () => {
    const name = { type: 'string' };
    const schema = { type: 'object', properties: { a: name, b: { items: name, type: 'array' } } };
    expect(await problem(schema)).toBe('none');
  });
});

describe('the problems that a model is told', () => {
  const cat = {
    type: 'object',
    properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
    required: ['kind', 'lives'],
  };
  const dog = {
    type: 'object',
    properties: { kind: { const: 'dog' }, tricks: { type: 'array', items: { type: 'string' } } },
    required: ['kind'],
  };

  it.each<[string, JsonSchema, unknown, string[]]>([
    ['a type', { type: 'integer' }, [], ['- a: must be integer (got [])']],
    ['several types', { type: ['string', 'null'] }, [], ['- a: must be string or null (got [])']],
    ['a constant', { const: 'x' }, 'y', ['- a: must be "x" (got "y")']],
    [
      'a property too many',
      { type: 'object', additionalProperties: false },
      { b: 1 },
      ['- a.b: is not expected (got 1)'],
    ],
    [
      'a property that another one needs',
      { type: 'object', dependentRequired: { b: ['c'] } },
      { b: 1 },
      ['- a.c: is required with "b"'],
    ],
    [
      'a union of types',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      [],
      ['- a: must be string or number (got [])'],
    ],
    [
      'a union of values',
      { anyOf: [{ const: 'x', description: 'X' }, { enum: ['y', 'z'] }, { type: 'null' }] },
      'q',
      ['- a: must be one of ["x","y","z"] or null (got "q")'],
    ],
    [
      'the branch that the discriminator chooses',
      { anyOf: [cat, dog] },
      { kind: 'dog', tricks: [1] },
      ['- a.tricks.0: must be string (got 1)'],
    ],
    [
      'a discriminator that chooses none',
      { oneOf: [cat, dog] },
      { kind: 'cow' },
      ['- a.kind: must be one of ["cat","dog"] (got "cow")'],
    ],
    [
      'the branch with the fewest problems',
      {
        anyOf: [
          { type: 'object', required: ['b', 'c', 'd'] },
          { type: 'object', required: ['e'] },
        ],
      },
      {},
      ['- a.e: is required'],
    ],
    [
      'several branches that fit',
      {
        oneOf: [
          { type: 'object', required: ['b'] },
          { type: 'object', required: ['c'] },
        ],
      },
      { b: 1, c: 1 },
      ['- a: must match exactly one of the allowed forms, but matches several (got {"b":1,"c":1})'],
    ],
    [
      'a condition',
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      { if: { type: 'object', required: ['x'] }, then: { required: ['y'] } },
      { x: 1 },
      ['- a.y: is required'],
    ],
    [
      'no item that is needed',
      { type: 'array', contains: { type: 'object', required: ['x'] } },
      [{}, {}, {}],
      ['- a: must contain at least 1 valid item(s) (got [{},{},{}])'],
    ],
    [
      'a forbidden value',
      { not: { type: 'string' } },
      'x',
      ['- a: is a value that is not allowed (got "x")'],
    ],
  ])('are short: %s', async (_what, schema, value, expected) => {
    expect(await call({ ...property(schema), required: ['a'] }, { a: value })).toEqual(expected);
  });

  it('are those of the branch behind a reference', async () => {
    const schema: JsonSchema = {
      ...property({ anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] }),
      $defs: { Cat: cat, Dog: dog },
    };
    expect(await call(schema, { a: { kind: 'cat' } })).toEqual(['- a.lives: is required']);
  });

  it('keep those beside a union', async () => {
    const schema = property({
      type: 'object',
      required: ['id'],
      anyOf: [{ required: ['b'] }, { required: ['c'] }],
    });
    expect(await call(schema, { a: {} })).toEqual(
      expect.arrayContaining(['- a.id: is required', '- a.b: is required']),
    );
  });

  it('keep those of other places, whatever they refer to', async () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/Text' }, b: { anyOf: [cat, dog] } },
      $defs: { Text: { type: 'object', required: ['x'] } },
    };
    expect(await call(schema, { a: {}, b: { kind: 'dog', tricks: [1] } })).toEqual([
      '- a.x: is required',
      '- b.tricks.0: must be string (got 1)',
    ]);
  });

  it('keep those of the same value', async () => {
    const schema = property({
      not: { const: 'z' },
      anyOf: [{ type: 'string', pattern: '^x' }, { type: 'number' }],
      oneOf: [{ type: 'boolean' }, { type: 'null' }],
    });
    expect(await call(schema, { a: 'z' })).toEqual([
      '- a: is a value that is not allowed (got "z")',
      expect.stringContaining('- a: must match pattern'),
      '- a: must be boolean or null (got "z")',
    ]);
  });

  it('are few, however large the union is', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const branch = { type: 'object', required: names };
    const problems = await call(property({ anyOf: [branch, branch, branch] }), { a: {} });
    expect(problems).toHaveLength(5);
    await app.close();
    const [text] = (await call(property({ enum: names }), { a: [] })) as string[];
    expect(text).toContain('and 10 more values');
  });
});

describe('defaults of a raw JSON Schema', () => {
  const unit = { type: 'object', properties: { unit: { type: 'string', default: 'kg' } } };

  it.each<[string, JsonSchema, unknown, unknown]>([
    ['in nested objects', unit, {}, { unit: 'kg' }],
    [
      'in items',
      { type: 'array', items: unit },
      [{}, { unit: 'lb' }],
      [{ unit: 'kg' }, { unit: 'lb' }],
    ],
    ['in tuples', { type: 'array', prefixItems: [unit, {}] }, [{}, {}], [{ unit: 'kg' }, {}]],
    [
      'in records',
      { type: 'object', additionalProperties: unit },
      { x: {} },
      { x: { unit: 'kg' } },
    ],
    ['in allOf', { allOf: [unit, { type: 'object' }] }, {}, { unit: 'kg' }],
    [
      'in the branch that accepts the value',
      {
        anyOf: [
          {
            type: 'object',
            properties: { k: { const: 'x' }, n: { default: 1 } },
            required: ['k', 'n'],
          },
          { type: 'object', properties: { k: { const: 'y' }, n: { default: 2 } }, required: ['k'] },
        ],
      },
      { k: 'x' },
      { k: 'x', n: 1 },
    ],
    [
      'in no branch if several accept the value',
      { anyOf: [unit, { type: 'object', properties: { other: { default: 1 } } }] },
      {},
      {},
    ],
    [
      'of objects, whose own defaults are filled in too',
      { type: 'object', properties: { b: { ...unit, default: {} } } },
      {},
      { b: { unit: 'kg' } },
    ],
    [
      'but not where a value was given',
      { type: 'object', properties: { b: { default: 1 }, c: { default: 1 } } },
      { b: 0, c: null },
      { b: 0, c: null },
    ],
  ])('are filled in %s', async (_where, schema, given, expected) => {
    expect(await call(property(schema), { a: given })).toEqual({ a: expected });
  });

  it('are filled in behind references, into recursive values', async () => {
    const schema: JsonSchema = {
      ...property({ $ref: '#/definitions/Node' }),
      definitions: {
        Node: {
          type: 'object',
          properties: {
            unit: { type: 'string', default: 'kg' },
            kids: { type: 'array', items: { $ref: '#/definitions/Node' } },
          },
        },
      },
    };
    expect(await call(schema, { a: { kids: [{}] } })).toEqual({
      a: { unit: 'kg', kids: [{ unit: 'kg' }] },
    });
  });

  it('end where a default would hold itself', async () => {
    const schema: JsonSchema = {
      ...property({ $ref: '#/$defs/Node' }),
      $defs: {
        Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node', default: {} } } },
      },
    };
    expect(await call(schema, { a: {} })).toEqual({ a: { next: {} } });
  });

  it('change neither the input nor the schema', async () => {
    const schema = property({ type: 'object', properties: { b: { default: { deep: [] } } } });
    const tool = await register(schema);
    const input = Object.freeze({ a: Object.freeze({}) });
    const validate = app.get(ToolRegistry).get('raw')?.inputSchema['~standard'].validate;
    const first = (await validate?.(input)) as { value: { a: { b: { deep: unknown[] } } } };
    first.value.a.b.deep.push('changed');
    expect(await validate?.(input)).toEqual({ value: { a: { b: { deep: [] } } } });
    expect(input).toEqual({ a: {} });
    expect(tool.inputSchema).toBe(schema);
    expect(JSON.stringify(schema)).not.toContain('changed');
  });

  it('cost nothing where there are none: the value goes on as it is', async () => {
    await register(property({ type: 'object', properties: { b: { type: 'string' } } }));
    const validate = app.get(ToolRegistry).get('raw')?.inputSchema['~standard'].validate;
    const reads: PropertyKey[] = [];
    const nested = new Proxy(
      { b: 'x' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          reads.push(key);
          return Reflect.getOwnPropertyDescriptor(target, key);
        },
      },
    );
    const input = { a: nested };
    const result = (await validate?.(input)) as { value: unknown };
    expect(result.value).toBe(input);
    expect(reads).toEqual([]);
  });
});

describe('a default that its own schema refuses', () => {
  it.each([null, 'ten', {}])('is not filled in: %j', async (value) => {
    const schema = fromJsonSchema({
      type: 'object',
      properties: { q: { type: 'string' }, limit: { type: 'integer', default: value } },
    });
    expect(await schema?.['~standard'].validate({ q: 'x' })).toEqual({ value: { q: 'x' } });
  });
});
