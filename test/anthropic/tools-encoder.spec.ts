import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type {
  ChatMessage,
  ChatTool,
  JsonSchema,
  ObjectJsonSchema,
  ToolChoice,
} from 'nestjs-agent-tools';
import {
  anthropic,
  toAnthropicBody,
  type AnthropicBodyOptions,
} from 'nestjs-agent-tools/anthropic';
import { message } from './support/streams.js';

const HELLO: readonly ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Hi' },
];
const AFTER_CALL: readonly ChatMessage[] = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'find', arguments: '{}' }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'c1', name: 'find', status: 'success', content: 'x' }],
  },
];
const MARK = { cache_control: { type: 'ephemeral' } };

interface SentTool {
  readonly name: string;
  readonly input_schema: ObjectJsonSchema;
  readonly strict?: boolean;
}

function tool(
  name: string,
  properties: Record<string, JsonSchema> = {},
  more: Partial<ChatTool> = {},
): ChatTool {
  const inputSchema: ObjectJsonSchema = {
    type: 'object',
    properties,
    required: Object.keys(properties),
  };
  return { name, description: `Does ${name}.`, inputSchema, ...more };
}

function strictTools(count: number, inputSchema: ObjectJsonSchema): ChatTool[] {
  return Array.from({ length: count }, (_, index) =>
    tool(`t${index}`, {}, { inputSchema, strict: true }),
  );
}

function encode(
  request: {
    tools?: readonly ChatTool[];
    toolChoice?: ToolChoice;
    messages?: readonly ChatMessage[];
  },
  options: Partial<AnthropicBodyOptions> = {},
) {
  return toAnthropicBody({ messages: HELLO, ...request }, { model: 'claude-opus-4-6', ...options });
}

function sent(tools: readonly ChatTool[], options: Partial<AnthropicBodyOptions> = {}): SentTool[] {
  return encode({ tools }, options).tools as SentTool[];
}

const strictOnes = (tools: readonly SentTool[]) => tools.filter(({ strict }) => strict).length;

describe('tools', () => {
  it('are sent with their whole schema', () => {
    const count = { type: 'integer', minimum: 1 } as const;
    expect(sent([tool('find', { count })])).toEqual([
      {
        name: 'find',
        description: 'Does find.',
        input_schema: { type: 'object', properties: { count }, required: ['count'] },
      },
    ]);
  });

  it('always have properties (fault 66)', () => {
    const inputSchema = { type: 'object' } as ObjectJsonSchema;
    expect(sent([tool('now', {}, { inputSchema })])[0]?.input_schema).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('have no union at the root (fault 70)', () => {
    const inputSchema = {
      type: 'object',
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    } as unknown as ObjectJsonSchema;
    const [found] = sent([tool('find', {}, { inputSchema })]);
    expect(found?.input_schema).not.toHaveProperty('anyOf');
    expect(found?.input_schema.properties).toMatchObject({ a: {}, b: {} });
  });

  it('are strict if they ask for it and their schema allows it', () => {
    const [strict, open, plain] = sent([
      tool('a', { count: { type: 'integer', minimum: 1 } }, { strict: true }),
      tool(
        'b',
        { labels: { type: 'object', additionalProperties: { type: 'string' } } },
        { strict: true },
      ),
      tool('c', {}, { strict: false }),
    ]);
    expect(strict).toMatchObject({ strict: true, input_schema: { additionalProperties: false } });
    expect(strict?.input_schema.properties?.count).not.toHaveProperty('minimum');
    expect(open).not.toHaveProperty('strict');
    expect(open?.input_schema.properties?.labels).toHaveProperty('additionalProperties');
    expect(plain).not.toHaveProperty('strict');
  });

  it('are not strict with a model that has no strict tools', () => {
    const [plain] = sent([tool('a', {}, { strict: true })], { model: 'claude-sonnet-4-0' });
    expect(plain).not.toHaveProperty('strict');
    expect(anthropic({ model: 'claude-sonnet-4-0' }).toolSchemas).not.toHaveProperty('strict');
    expect(anthropic({ model: 'claude-opus-4-6' }).toolSchemas).toHaveProperty('strict');
  });

  it('have their schema converted once', () => {
    const one = tool('a', {}, { strict: true });
    expect(sent([one])[0]?.input_schema).toBe(sent([one])[0]?.input_schema);
  });

  it('of Anthropic’s own come after those of the application', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' };
    expect(encode({ tools: [tool('a')] }, { serverTools: [search] }).tools).toEqual([
      expect.objectContaining({ name: 'a' }),
      search,
    ]);
    expect(encode({}, { serverTools: [search] }).tools).toEqual([search]);
  });
});

describe('strict tools beyond what one request may have (fault 71)', () => {
  const none: ObjectJsonSchema = { type: 'object', properties: {} };
  const optional: ObjectJsonSchema = {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'object', properties: { c: { type: 'string' } } },
    },
    required: ['b'],
  };
  const union: ObjectJsonSchema = {
    type: 'object',
    properties: {
      a: { anyOf: [{ type: 'string' }, { type: 'object', properties: {} }] },
      b: { type: ['string', 'null'] },
    },
    required: ['a', 'b'],
  };

  it.each([
    ['20 of them', none, 20],
    ['24 optional fields', optional, 12],
    ['16 fields of several types', union, 8],
  ])('are sent without `strict` after %s', (_limit, schema, most) => {
    const tools = sent(strictTools(25, schema));
    expect(tools.map(({ strict = false }) => strict)).toEqual(
      tools.map((_, index) => index < most),
    );
    expect(tools).toHaveLength(25);
  });

  it('leave room for the format of the answer', () => {
    const tools = sent(strictTools(25, optional), {
      responseFormat: { type: 'json', schema: optional },
    });
    expect(strictOnes(tools)).toBe(11);
  });

  describe('with a logger', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');

    beforeEach(() => {
      warn.mockReset();
    });

    afterEach(() => {
      warn.mockReset();
    });

    it('are said once for each model', async () => {
      const model = anthropic({
        model: 'claude-opus-4-6',
        apiKey: 'k',
        fetch: async () => Response.json(message([{ type: 'text', text: 'Hi' }])),
      });
      const request = { messages: HELLO, tools: strictTools(22, none) };
      await model.generate(request, {});
      await model.generate(request, {});
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining('anthropic:claude-opus-4-6 takes at most 20 strict tools')],
      ]);
      expect(warn.mock.calls[0]?.[0]).toContain('t20, t21 are sent without `strict`');
    });
  });
});

describe('the choice among tools', () => {
  const choiceOf = (toolChoice?: ToolChoice, options: Partial<AnthropicBodyOptions> = {}) =>
    encode({ tools: [tool('find')], toolChoice }, options).tool_choice;

  it('is in Anthropic’s words', () => {
    expect(choiceOf()).toBeUndefined();
    expect(choiceOf('auto')).toEqual({ type: 'auto' });
    expect(choiceOf('none')).toEqual({ type: 'none' });
    expect(choiceOf('required')).toEqual({ type: 'any' });
    expect(choiceOf({ tool: 'find' })).toEqual({ type: 'tool', name: 'find' });
  });

  it('may forbid several calls at once', () => {
    const one = { disable_parallel_tool_use: true };
    const options = { parallelToolCalls: false };
    expect(choiceOf(undefined, options)).toEqual({ type: 'auto', ...one });
    expect(choiceOf('required', options)).toEqual({ type: 'any', ...one });
    expect(choiceOf({ tool: 'find' }, options)).toEqual({ type: 'tool', name: 'find', ...one });
    expect(choiceOf('none', options)).toEqual({ type: 'none' });
    expect(choiceOf(undefined, { parallelToolCalls: true })).toBeUndefined();
  });

  it.each([
    ['with a budget', { reasoningBudget: 2_000 }],
    ['with an effort', { reasoningEffort: 'low' }],
    ['by `body`', { body: { thinking: { type: 'enabled', budget_tokens: 2_000 } } }],
    ['always', { model: 'claude-opus-5-5' }],
  ])('is up to the model while it thinks %s (fault 96)', (_how, options) => {
    expect(choiceOf('required', options)).toEqual({ type: 'auto' });
    expect(choiceOf({ tool: 'find' }, options)).toEqual({ type: 'auto' });
    expect(choiceOf('none', options)).toEqual({ type: 'none' });
  });

  it('is kept if reasoning is turned off', () => {
    expect(choiceOf('required', { reasoningBudget: 0 })).toEqual({ type: 'any' });
    expect(choiceOf('required', { reasoningBudget: 2_000, body: { thinking: undefined } })).toEqual(
      { type: 'any' },
    );
  });

  it('is not sent without tools', () => {
    expect(encode({ toolChoice: 'required' })).not.toHaveProperty('tool_choice');
    expect(encode({ toolChoice: 'required' })).not.toHaveProperty('tools');
  });
});

describe('a conversation with calls, but without tools', () => {
  it('lists the tools that were called, which cannot be called any more', () => {
    expect(encode({ messages: AFTER_CALL })).toMatchObject({
      tools: [{ name: 'find', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'none' },
    });
  });

  it('leaves tools of the `body` alone', () => {
    const tools = [{ name: 'find', input_schema: { type: 'object' } }];
    const body = encode({ messages: AFTER_CALL }, { body: { tools } });
    expect(body.tools).toBe(tools);
    expect(body).not.toHaveProperty('tool_choice');
  });
});

describe('marks of the cache', () => {
  const tools = [tool('a'), tool('b')];

  it('are at the end of the tools, the system messages and the conversation', () => {
    const body = encode({ tools, messages: [...HELLO, ...AFTER_CALL] }, { cache: true });
    expect(body.system).toEqual([
      { type: 'text', text: 'Be kind.' },
      { type: 'text', text: 'Be brief.', ...MARK },
    ]);
    const list = body.tools as object[];
    expect(list[0]).not.toHaveProperty('cache_control');
    expect(list[1]).toMatchObject(MARK);
    const { content } = (body.messages as { content: object[] }[]).at(-1) ?? {};
    expect(content).toEqual([{ type: 'tool_result', tool_use_id: 'c1', content: 'x', ...MARK }]);
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3);
  });

  it('have a time to live and are where they are wanted', () => {
    const body = encode({ tools }, { cache: { ttl: '1h', system: false, messages: false } });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(1);
    expect((body.tools as object[])[1]).toMatchObject({
      cache_control: { type: 'ephemeral', ttl: '1h' },
    });
  });

  it('are not there if nobody asks for them', () => {
    for (const cache of [undefined, false]) {
      expect(JSON.stringify(encode({ tools }, { cache }))).not.toContain('cache_control');
    }
  });

  it('do not change what is converted once', () => {
    encode({ tools }, { cache: true });
    expect(JSON.stringify(encode({ tools }))).not.toContain('cache_control');
  });
});
