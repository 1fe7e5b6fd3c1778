import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  toAnthropicSchema,
  toAnthropicStrictSchema,
  toGeminiSchema,
  toOpenAISchema,
  toOpenAIStrictSchema,
  ToolExecutor,
  Tool,
  ToolInput,
  type ChatTool,
  type ObjectJsonSchema,
} from 'nestjs-agent-tools';
import { toAnthropicBody } from 'nestjs-agent-tools/anthropic';
import { toGeminiBody } from 'nestjs-agent-tools/gemini';
import { toChatCompletionsBody, toResponsesBody } from 'nestjs-agent-tools/openai';
import { scripted } from 'nestjs-agent-tools/testing';
import { z } from 'zod';
import { bootError, createApp } from '../support/app.js';

type Schema = ObjectJsonSchema & Readonly<Record<string, unknown>>;

const tool = (inputSchema: object, strict?: boolean): ChatTool => ({
  name: 'f',
  description: 'F.',
  inputSchema: inputSchema as ObjectJsonSchema,
  strict,
});

const request = (...tools: ChatTool[]) => ({
  messages: [{ role: 'user' as const, content: 'Go.' }],
  tools,
});

interface Parameters {
  readonly [provider: string]: Schema;
}

/** The schema of a tool as each provider gets it. */
function sent(inputSchema: object, strict?: boolean): Parameters {
  const asked = request(tool(inputSchema, strict));
  const chat = toChatCompletionsBody(asked, { model: 'm' }).tools as {
    function: { parameters: Schema };
  }[];
  const responses = toResponsesBody(asked, { model: 'm' }).tools as { parameters: Schema }[];
  const claude = toAnthropicBody(asked, { model: 'claude-sonnet-4-5' }).tools as {
    input_schema: Schema;
  }[];
  const gemini = toGeminiBody(asked, { model: 'gemini-2.5-flash' }).tools as {
    functionDeclarations: { parametersJsonSchema: Schema }[];
  }[];
  return {
    openai: chat[0].function.parameters,
    openaiResponses: responses[0].parameters,
    anthropic: claude[0].input_schema,
    gemini: gemini[0].functionDeclarations[0].parametersJsonSchema,
  };
}

const keywords = (schema: unknown): string => JSON.stringify(schema);

describe('schemas of tools', () => {
  it('64: have every property required and the optional ones nullable where they are strict', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { schema: strict } = toOpenAIStrictSchema(schema as ObjectJsonSchema);
    expect(strict).toMatchObject({
      required: ['a'],
      additionalProperties: false,
      properties: { a: { type: ['string', 'null'] } },
    });
    // And the null that stands for "left out" is taken away before the method.
    @Injectable()
    class Tools {
      got: unknown;
      @Tool({
        description: 'F.',
        strict: true,
        inputSchema: z.object({ a: z.string().optional() }),
      })
      f(@ToolInput() input: object) {
        this.got = input;
      }
    }
    const app = await createApp({ providers: [Tools] });
    await app.get(ToolExecutor).execute('f', { a: null });
    expect(app.get(Tools).got).toEqual({});
    await app.close();
  });

  it('65: lose what a strict provider refuses, and tell it to the model', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', minLength: 1, maxLength: 5 },
        re: { type: 'string', pattern: '(?=x)' },
        list: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        uri: { type: 'string', format: 'uri-template' },
      },
      required: ['a', 're', 'list', 'uri'],
    };
    for (const convert of [toOpenAIStrictSchema, toAnthropicStrictSchema]) {
      const { schema: strict, losses } = convert(schema as ObjectJsonSchema);
      expect(keywords(strict)).not.toMatch(
        /"(?:minLength|maxLength|uniqueItems|pattern)":|uri-template"\}/,
      );
      expect(losses.length).toBeGreaterThan(2);
      expect(keywords(strict)).toMatch(/"description":"[^"]*1/);
    }
  });

  it.each([
    { type: 'object' },
    { type: 'object', properties: {} },
    { type: 'object', additionalProperties: { type: 'string' } },
  ])('66: always have properties: %j', (schema) => {
    for (const parameters of Object.values(sent(schema))) {
      expect(parameters).toMatchObject({ type: 'object', properties: {} });
    }
  });

  it('66: of a tool without arguments are an empty object', async () => {
    @Injectable()
    class Tools {
      @Tool('Now.')
      now() {
        return 'noon';
      }
    }
    const model = scripted(['done']);
    const app = await createApp({ providers: [Tools] }, { model });
    const { AgentService } = await import('nestjs-agent-tools');
    await app.get(AgentService).run('Go.');
    await app.close();
    const [given] = model.requests[0].tools ?? [];
    for (const parameters of Object.values(sent(given.inputSchema))) {
      expect(parameters).toMatchObject({ type: 'object', properties: {} });
    }
  });

  it('67: of records stay fillable', () => {
    const record = { type: 'object', properties: {}, additionalProperties: { type: 'string' } };
    const { openai, openaiResponses, anthropic, gemini } = sent(record);
    for (const parameters of [openai, openaiResponses, anthropic, gemini]) {
      expect(parameters.additionalProperties).toEqual({ type: 'string' });
    }
    expect(toOpenAIStrictSchema(record as ObjectJsonSchema)).toMatchObject({ strict: false });
  });

  it('68: for Gemini have only the keywords that it takes', () => {
    const { schema } = toGeminiSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        kind: { const: 'a' },
        level: { type: 'integer', enum: [1, 2] },
        note: { type: ['string', 'null'] },
        n: { type: 'number', exclusiveMinimum: 0 },
      },
      required: ['kind'],
    });
    expect(keywords(schema)).not.toMatch(/\$schema|"const"|exclusiveMinimum/);
    expect(schema.properties).toMatchObject({ kind: { enum: ['a'] } });
  });

  it('69: keep what is behind a reference', () => {
    const { schema } = toGeminiSchema({
      type: 'object',
      properties: { place: { $ref: '#/$defs/Place' } },
      $defs: { Place: { type: 'object', properties: { city: { type: 'string' } } } },
    });
    expect(keywords(schema)).toContain('city');
    const place = schema.properties?.place as Schema;
    expect(place.$ref === undefined ? place.type : keywords(schema.$defs)).toMatch(/object/);
  });

  it('70: with alternatives at the root do not make the request fail', () => {
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    };
    const { schema: converted } = toAnthropicSchema(schema as never);
    expect(converted).toMatchObject({ type: 'object' });
    expect(Object.keys(converted)).not.toContain('anyOf');
    expect(Object.keys(toOpenAISchema(schema as never).schema)).not.toContain('anyOf');
  });

  it('71: are strict only as far as the provider bears it', () => {
    const strict = Array.from({ length: 60 }, (_, index) => ({
      ...tool({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, true),
      name: `f${index}`,
    }));
    const { tools } = toAnthropicBody(request(...strict), { model: 'claude-sonnet-4-5' });
    const sentTools = tools as { strict?: boolean }[];
    expect(sentTools).toHaveLength(60);
    expect(sentTools.filter((one) => one.strict).length).toBeLessThanOrEqual(20);
    expect(sentTools.filter((one) => one.strict).length).toBeGreaterThan(0);
  });

  it('72: that recurse have their definitions at the root', () => {
    const schema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/Node' } },
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } },
        },
      },
    };
    for (const [provider, parameters] of Object.entries(sent(schema))) {
      const references = [...keywords(parameters).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)];
      const defined = Object.keys(parameters.$defs ?? {});
      for (const [, name] of references) expect([provider, ...defined]).toContain(name);
    }
  });

  it('73: that cannot be described stop the boot', async () => {
    class Tools {
      @Tool({ description: 'F.', inputSchema: z.object({ at: z.custom<() => void>() }) })
      f(@ToolInput() _input: object) {}
    }
    expect(await bootError({ providers: [Tools] })).toContain('Tools');
  });
});
