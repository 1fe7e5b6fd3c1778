import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import type { ObjectJsonSchema } from 'nestjs-agent-tools';
import { exerciseAll } from 'nestjs-agent-tools/testing';
import { anything, satisfiable, satisfiableObject } from './support/schema.arbitrary.js';

const RUNS = { numRuns: 60 };

const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
ajvFormats.default(ajv);

const $defs = { Leaf: { type: 'string', minLength: 3 } };

async function make(inputSchema: unknown, options: { optional?: boolean } = {}): Promise<unknown> {
  const tools = [{ name: 'f', description: '', inputSchema: inputSchema as ObjectJsonSchema }];
  const { content } = await exerciseAll(options).generate({ messages: [], tools });
  const [call] = content;
  if (call?.type !== 'tool-call') throw new Error('There is no call.');
  return JSON.parse(call.arguments);
}

/** The value that was made for one property; undefined if it does not fit. */
async function sample(schema: unknown, options?: { optional?: boolean }): Promise<unknown> {
  const root = { type: 'object', properties: { x: schema }, required: ['x'], $defs };
  const input = (await make(root, options)) as { x: unknown };
  return problems(root, input).length > 0 ? undefined : input.x;
}

function problems(schema: object, input: unknown): string[] {
  const validate = ajv.compile(schema);
  validate(input);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('arguments that exerciseAll() makes', () => {
  it.each([false, true])(
    'fit every schema that some value fits (optional: %s)',
    async (optional) => {
      await fc.assert(
        fc.asyncProperty(satisfiableObject, async (schema) => {
          const root = { ...schema, $defs };
          expect(problems(root, await make(root, { optional }))).toEqual([]);
        }),
        RUNS,
      );
    },
  );

  it('fit every schema of a property', async () => {
    await fc.assert(
      fc.asyncProperty(satisfiable, async (schema) => {
        expect(await sample(schema)).toBeDefined();
      }),
      RUNS,
    );
  });

  it('fit whatever keywords there are, or there are none and an error says so', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (schema) => {
        const root = { type: 'object', properties: { x: schema }, required: ['x'] };
        const input = await make(root).catch((error: Error) => error);
        const isRefused = input instanceof Error && /for the tool "f": at /.test(input.message);
        expect(isRefused ? [] : problems(root, input)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('are the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(satisfiableObject, async (schema) => {
        const root = { ...schema, $defs };
        expect(await make(root)).toEqual(await make(root));
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [{ type: 'string', default: 'd', enum: ['e', 'd'] }, 'd'],
    [{ type: 'string', examples: ['A-1', 'A-2'] }, 'A-1'],
    [{ type: 'string', default: 5 }, 'text'],
    [{ enum: ['first', 'second'] }, 'first'],
    [{ const: 7 }, 7],
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: 'integer', exclusiveMinimum: 5, multipleOf: 4 }, 8],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: 'string', nullable: true }, 'text'],
    [{ type: ['null', 'integer'] }, 1],
    [{ anyOf: [{ type: 'null' }, { type: 'boolean' }] }, true],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 0.5],
    [{ allOf: [{ minimum: 3 }, { maximum: 9 }, { type: 'integer' }] }, 3],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 2, uniqueItems: true }, [true, false]],
    [{ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: false }, [1, 2]],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, { key: 1 }],
    [
      { type: 'object', propertyNames: { pattern: '^id-\\d$' }, minProperties: 1 },
      { 'id-1': 'text' },
    ],
    [{ type: 'object', patternProperties: { '^x\\d$': { const: 1 } } }, { x1: 1 }],
    [{ type: 'string', not: { const: 'text' } }, 'text2'],
    [
      {
        type: 'object',
        properties: { kind: { enum: ['a'] }, a: { type: 'integer' } },
        required: ['kind'],
        if: { properties: { kind: { const: 'a' } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['a'] },
      },
      { kind: 'a', a: 1 },
    ],
  ])('%j → %j', async (schema, expected) => {
    expect(await sample(schema)).toEqual(expected);
  });

  it.each([
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'uri',
    'uuid',
    'ipv4',
    'ipv6',
    'hostname',
    'uri-reference',
    'json-pointer',
    'byte',
    'regex',
  ])('%s: five different texts of the format', async (format) => {
    const schema = {
      type: 'array',
      minItems: 5,
      uniqueItems: true,
      items: { type: 'string', format },
    };
    expect(await sample(schema)).toHaveLength(5);
  });

  it('leave optional properties out, or fill them all in', async () => {
    const schema = {
      type: 'object',
      properties: { a: {}, b: { type: 'integer' } },
      required: ['b'],
    };
    expect(await sample(schema)).toEqual({ b: 1 });
    expect(await sample(schema, { optional: true })).toEqual({ a: 'text', b: 1 });
  });

  it('end where a recursive schema lets them', async () => {
    const node = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
        parent: { $ref: '#/$defs/Node' },
      },
      required: ['name', 'next', 'children'],
    };
    const root = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/Node' }, self: { $ref: '#' } },
      required: ['node'],
      $defs: { Node: node },
    };
    for (const optional of [false, true]) {
      const input = await make(root, { optional });
      expect(input).toEqual({ node: { name: 'text', next: null, children: [] } });
    }
  });

  it('do not grow without bound where many types lead to each other', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `T${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const type = { type: 'object', properties };
    const root = { ...type, $defs: Object.fromEntries(names.map((name) => [name, type])) };
    const text = JSON.stringify(await make(root, { optional: true }));
    expect(text.length).toBeLessThan(1_000_000);
  });

  it.each([
    ['pattern', { type: 'string', pattern: '^(?=a)b$' }, '/x no text was found for the pattern'],
    ['contradiction', { type: 'integer', minimum: 3, maximum: 1 }, '/x no value was found for'],
    ['lost reference', { $ref: '#/$defs/Nobody' }, '/x no value was found for'],
    ['endless', { $ref: '#/$defs/Endless' }, 'no value was found'],
    [
      'inner',
      { type: 'array', minItems: 1, items: { type: 'string', pattern: '^(?!)$' } },
      '/x/0 no text',
    ],
  ])('say which tool and where if there are none: %s', async (_, schema, message) => {
    const Endless = {
      type: 'object',
      properties: { e: { $ref: '#/$defs/Endless' } },
      required: ['e'],
    };
    const root = { type: 'object', properties: { x: schema }, required: ['x'], $defs: { Endless } };
    await expect(make(root)).rejects.toThrow(message);
    await expect(make(root)).rejects.toThrow('the tool "f"');
    await expect(make(root)).rejects.toThrow('exerciseAll({ arguments: { "f": { … } } })');
  });
});
