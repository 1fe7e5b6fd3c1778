import { afterEach, describe, expect, it } from '@jest/globals';
import { ChatStreamAssembler, type ChatDelta } from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { gemini } from 'nestjs-agent-tools/gemini';
import { anthropic } from 'nestjs-agent-tools/anthropic';

const before = {
  proto: Object.getOwnPropertyNames(Object.prototype),
  ctor: Object.getOwnPropertyNames(Object),
};

afterEach(() => {
  for (const [object, names] of [
    [Object.prototype, before.proto],
    [Object, before.ctor],
  ] as const) {
    for (const name of Object.getOwnPropertyNames(object)) {
      if (!names.includes(name)) Reflect.deleteProperty(object, name);
    }
  }
});

describe('provider metadata that came from storage', () => {
  it.each(['__proto__', 'constructor', 'toString'])(
    'does not change what all objects share: %s',
    (name) => {
      const target: unknown = ({} as Record<string, unknown>)[name];
      const providerMetadata = JSON.parse(`{"${name}":{"polluted":"yes"}}`) as ChatDelta & object;
      for (const type of ['text', 'reasoning', 'tool-call'] as const) {
        const assembler = new ChatStreamAssembler();
        const delta =
          type === 'tool-call'
            ? { type, index: 0, id: 'a', name: 'f', arguments: '{}' }
            : { type, text: 'x' };
        assembler.push({ ...delta, providerMetadata } as unknown as ChatDelta);
        assembler.push({ type: 'finish', reason: 'stop' });
        assembler.finish();
      }
      expect((target as { polluted?: string }).polluted).toBeUndefined();
    },
  );
});

const names = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'x'.repeat(1_000_000),
  '\ud800',
  '\0',
  '',
];
const json = (body: unknown) => ({
  fetch: async () => Response.json(body),
  apiKey: 'k',
  retry: { maxRetries: 0 },
});

describe('hostile names and ids in whole answers', () => {
  it.each(names)('are kept or dropped, without harm', async (name) => {
    const openaiBody = {
      choices: [
        {
          message: { tool_calls: [{ id: name, function: { name, arguments: '{}' } }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: -1, completion_tokens: 1e308, total_tokens: 'x' },
    };
    const models = [
      openai({ model: 'm', ...json(openaiBody) }),
      anthropic({
        model: 'claude-sonnet-4-5',
        ...json({
          content: [{ type: 'tool_use', id: name, name, input: {} }],
          stop_reason: 'tool_use',
          usage: { input_tokens: -5, output_tokens: 'x' },
        }),
      }),
      gemini({
        model: 'gemini-2.5-flash',
        ...json({
          candidates: [
            {
              content: { parts: [{ functionCall: { id: name, name, args: {} } }] },
              finishReason: 'STOP',
            },
          ],
          usageMetadata: { promptTokenCount: -1, candidatesTokenCount: 'x' },
        }),
      }),
    ];
    for (const model of models) {
      const { content, usage } = await model.generate(
        { messages: [{ role: 'user', content: 'x' }] },
        {},
      );
      const called = content.map((part) => (part.type === 'tool-call' ? part.name : name));
      expect(new Set([name, ...called])).toEqual(new Set([name]));
      for (const count of Object.values(usage ?? {})) expect(count).toBeGreaterThanOrEqual(0);
    }
  });

  it('thousands of calls are read in a short time', async () => {
    const calls = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      id: 'same',
      function: { name: 'f', arguments: '{}' },
    }));
    const model = openai({
      model: 'm',
      ...json({ choices: [{ message: { tool_calls: calls }, finish_reason: 'tool_calls' }] }),
    });
    const start = performance.now();
    const { content } = await model.generate({ messages: [] }, {});
    expect(new Set(content.map((part) => part.type === 'tool-call' && part.id)).size).toBe(20_000);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('arguments of 10,000 levels are no crash', async () => {
    const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
    const text = `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":${deep}}}]},"finish_reason":"tool_calls"}]}`;
    const model = openai({
      model: 'm',
      apiKey: 'k',
      retry: { maxRetries: 0 },
      fetch: async () => new Response(text, { headers: { 'content-type': 'application/json' } }),
    });
    const result = await model.generate({ messages: [] }, {}).then(
      () => 'ok',
      (error: Error) => error.name,
    );
    expect(['ok', 'ChatModelException']).toContain(result);
  });

  it.each([
    null,
    [null],
    [{}],
    [{ message: null }],
    [{ delta: 5 }],
    [5],
    ['x'],
    {},
    [{ message: { tool_calls: [{ function: 'x' }] } }],
    [{ message: { content: [null, 5, { thinking: 5 }], reasoning_details: [null, { text: {} }] } }],
  ])('odd choices are an exception of this package: %j', async (choices) => {
    const model = openai({ model: 'm', ...json({ choices }) });
    const result = await model.generate({ messages: [] }, {}).then(
      () => 'ok',
      (error: Error) => error.name,
    );
    expect(['ok', 'ChatModelException', 'ChatStreamException']).toContain(result);
  });

  it.each([
    { error: { metadata: { raw: 5 }, details: [null, 5, { retryDelay: null }] } },
    { detail: [null] },
    { error: [null] },
    { detail: [{ loc: [null], msg: {} }] },
    [{ error: 5 }],
    { error: true },
  ])('odd errors are an exception of this package: %j', async (body) => {
    const model = openai({
      model: 'm',
      apiKey: 'k',
      retry: { maxRetries: 0 },
      fetch: async () => Response.json(body, { status: 400 }),
    });
    const error = await model.generate({ messages: [] }, {}).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.name).toBe('ChatModelException');
    expect(error).toMatchObject({ status: 400 });
  });
});
