import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Logger, type Type } from '@nestjs/common';
import { AgentService, Tool, ToolInput, type ObjectJsonSchema } from 'nestjs-agent-tools';
import { z } from 'zod';
import { startAgent } from '../loop/support/agent.js';
import { bootError, compileApp } from '../support/app.js';
import { serving, WIRES, type Wire } from './wire.js';

type Json = Readonly<Record<string, unknown>>;

/** A provider with one tool of this schema, which notes what it gets. */
function toolOf(inputSchema: object, strict?: boolean): Type<{ got: unknown }> {
  @Injectable()
  class Tools {
    got: unknown;

    @Tool({ name: 'f', description: 'F.', inputSchema: inputSchema as ObjectJsonSchema, strict })
    f(@ToolInput() input: object) {
      this.got = input;
    }
  }
  return Tools;
}

/** What the provider reads of the tools. */
const SCHEMA_KEYS = ['parameters', 'input_schema', 'parametersJsonSchema'];

function schemasIn(value: unknown): Json[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    SCHEMA_KEYS.includes(key) ? [inner as Json] : schemasIn(inner),
  );
}

/** A run in which the tool is called with these arguments, if any. */
async function run({ factory, chunks }: Wire, Tools: Type<{ got: unknown }>, args?: object) {
  const call = { name: 'f', id: 'c1', json: [JSON.stringify(args ?? {})] };
  const answers = args ? [chunks([], [call])] : [];
  const { model, bodies } = serving(factory, ...answers, chunks(['done']));
  const { agent, app } = await startAgent([Tools], { model });
  const result = await agent.stream('Go.').result;
  const { tools } = bodies[0] as { tools: unknown };
  const [schema] = schemasIn(tools);
  return { schema, text: JSON.stringify(schema), got: app.get(Tools).got, result, tools };
}

afterEach(() => Logger.overrideLogger(false));

describe.each(WIRES)('schemas of tools at %s', (provider, wire) => {
  it('64: bring an optional value that was sent as null to the method as absent', async () => {
    const Tools = toolOf(z.object({ a: z.string().min(1).optional() }), true);
    const { got } = await run(wire, Tools, { a: null });
    expect(got).toEqual({});
  });

  it('65: with look-arounds and limits are not strict with them', async () => {
    const schema = z.object({ a: z.string().min(1), re: z.string().regex(/(?=x)/) });
    const {
      schema: sent,
      text,
      tools,
      got,
    } = await run(wire, toolOf(schema, true), {
      a: 'b',
      re: 'x',
    });
    expect(got).toEqual({ a: 'b', re: 'x' });
    expect(sent.type).toBe('object');
    const isStrict = JSON.stringify(tools).includes('"strict":true');
    expect(isStrict && /"minLength":|"pattern":/.test(text)).toBe(false);
  });

  it.each([
    ['no arguments', z.object({})],
    ['a record', z.record(z.string(), z.string())],
    ['no properties', { type: 'object' }],
  ])('66: have properties: %s', async (_, schema) => {
    expect((await run(wire, toolOf(schema))).schema).toMatchObject({
      type: 'object',
      properties: {},
    });
  });

  it('67: of a record can be filled', async () => {
    const Tools = toolOf(z.object({ labels: z.record(z.string(), z.string()) }));
    const { schema, got } = await run(wire, Tools, { labels: { a: 'b' } });
    const { labels } = schema.properties as { labels: Json };
    expect(labels.additionalProperties).toMatchObject({ type: 'string' });
    expect(got).toEqual({ labels: { a: 'b' } });
  });

  it('68: bring back what the method declared', async () => {
    const Tools = toolOf(
      z.object({
        kind: z.literal('a'),
        level: z.union([z.literal(1), z.literal(2)]),
        note: z.string().nullable(),
        n: z.number().positive(),
      }),
    );
    const { text, got } = await run(wire, Tools, { kind: 'a', level: '2', note: null, n: 1 });
    expect(got).toEqual({ kind: 'a', level: 2, note: null, n: 1 });
    const refused = /\$schema|"const"|exclusiveMinimum|oneOf/;
    expect(provider === 'gemini' && refused.test(text)).toBe(false);
  });

  it('69: have no property without a type behind a reference', async () => {
    const { text, schema } = await run(
      wire,
      toolOf({
        type: 'object',
        properties: {
          from: { $ref: '#/$defs/Place' },
          to: { allOf: [{ $ref: '#/$defs/Place' }, { required: ['city'] }] },
        },
        $defs: { Place: { type: 'object', properties: { city: { type: 'string' } } } },
      }),
    );
    const { from } = schema.properties as { from: Json };
    expect(from.type ?? from.$ref).toBeTruthy();
    // Either in its place, or among the definitions.
    const definitions = (schema.$defs ?? {}) as Json;
    expect(from.$ref === undefined ? from : definitions.Place).toMatchObject({
      type: 'object',
      properties: { city: {} },
    });
    for (const [, name] of text.matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      expect(schema.$defs).toHaveProperty([name]);
    }
  });

  it('70: with alternatives at the root go as an object, and the other tools too', async () => {
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    };
    const { schema: sent, got } = await run(wire, toolOf(schema), { b: 1 });
    expect(sent).toMatchObject({ type: 'object', properties: { a: {}, b: {} } });
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) expect(sent).not.toHaveProperty(keyword);
    expect(got).toEqual({ b: 1 });
  });

  it('72: that recurse have all their definitions at the root', async () => {
    const node: z.ZodType = z.object({
      name: z.string(),
      get next() {
        return node.optional();
      },
    });
    const { text, schema, result } = await run(wire, toolOf(z.object({ node })));
    expect(result.text).toBe('done');
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
    for (const name of names.filter((reference) => reference !== '#')) {
      expect(name).toMatch(/^#\/\$defs\/[^/]+$/);
      expect(schema.$defs).toHaveProperty([name.slice('#/$defs/'.length)]);
    }
    expect(text.split('"$defs"').length - 1).toBeLessThanOrEqual(1);
  });

  it('73: of tuples and unions lose no member', async () => {
    const Tools = toolOf(
      z.object({
        pair: z.tuple([z.string(), z.number()]),
        either: z.union([z.object({ cats: z.number() }), z.object({ dogs: z.string() })]),
      }),
    );
    const args = { pair: ['a', 1], either: { dogs: 'two' } };
    const { text, got } = await run(wire, Tools, args);
    expect(got).toEqual(args);
    for (const member of ['string', 'number', 'cats', 'dogs']) expect(text).toContain(member);
  });
});

describe('schemas of tools at the boot', () => {
  it('71: that are strict beyond what Anthropic bears leave the request valid', async () => {
    const { factory, chunks } = WIRES[2][1];
    const { model, bodies } = serving(factory, chunks(['done']));
    const classes = Array.from({ length: 60 }, (_, index) => {
      @Injectable()
      class Tools {
        @Tool({
          name: `f${index}`,
          description: 'F.',
          strict: true,
          inputSchema: z.object({ a: z.string() }),
        })
        f(@ToolInput() _input: object) {}
      }
      return Tools;
    });
    const { agent } = await startAgent(classes, { model });
    expect((await agent.stream('Go.').result).text).toBe('done');
    const { tools } = bodies[0] as { tools: { strict?: boolean }[] };
    expect(tools).toHaveLength(60);
    const strict = tools.filter((tool) => tool.strict).length;
    expect(strict).toBeGreaterThan(0);
    expect(strict).toBeLessThanOrEqual(20);
  });

  it('70: are warned about once if they cannot be strict', async () => {
    const { factory, chunks } = WIRES[2][1];
    const { model } = serving(factory, chunks(['done']), chunks(['done']));
    const Tools = toolOf(z.record(z.string(), z.string()), true);
    const warnings: unknown[] = [];
    const app = await compileApp({ providers: [Tools] }, { model });
    const ignore = () => {};
    Logger.overrideLogger({ log: ignore, error: ignore, warn: (line) => void warnings.push(line) });
    await app.init();
    await app.get(AgentService).stream('Go.').result;
    await app.get(AgentService).stream('Go.').result;
    expect(warnings.filter((line) => String(line).includes('"f"'))).toHaveLength(1);
    await app.close();
  });

  it.each([
    ['a function', z.object({ at: z.custom<() => void>() })],
    ['a map', z.object({ at: z.map(z.string(), z.string()) })],
    ['a union with a symbol', z.object({ at: z.union([z.string(), z.symbol()]) })],
    ['a remote reference', { type: 'object', properties: { at: { $ref: 'https://x.example/a' } } }],
  ])('73: with what cannot be described stop it: %s', async (_, schema) => {
    const message = await bootError({ providers: [toolOf(schema)] });
    expect(message).toContain('Tools.f');
  });
});
