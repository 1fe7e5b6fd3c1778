import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { AgentService, Tool, ToolParam, type ChatModel } from 'nestjs-agent-tools';
import { fromAiSdk, type AiSdkOptions } from 'nestjs-agent-tools/ai-sdk';
import { fromLangChain, type LangChainOptions } from 'nestjs-agent-tools/langchain';
import { openai } from 'nestjs-agent-tools/openai';
import { forbidRealModels } from 'nestjs-agent-tools/testing';
import { fake, partsOf } from '../ai-sdk/support/fakes.js';
import { createApp } from '../support/app.js';

const TURNS = [
  'Thought: I look for it.\nAction: find\nAction Input: {"no": "7"}\nObservation: it is lost',
  'Final Answer: Order 7 was shipped.',
];

@Injectable()
class Orders {
  readonly found: string[] = [];

  @Tool('Finds an order.')
  find(@ToolParam('no') no: string): string {
    this.found.push(no);
    return 'shipped';
  }
}

type Options = AiSdkOptions & LangChainOptions;

/** Models that only write text, turn by turn. */
const MODELS: readonly (readonly [string, (options: Options) => ChatModel])[] = [
  [
    'fromAiSdk()',
    (options) => {
      const turns = [...TURNS];
      const next = () => turns.shift() ?? 'nothing';
      return fromAiSdk(
        fake({
          version: 'v2',
          generate: () => ({
            content: [{ type: 'text', text: next() }],
            finishReason: 'stop',
            usage: {},
            warnings: [],
          }),
          stream: () =>
            partsOf([
              { type: 'stream-start', warnings: [] },
              { type: 'text-start', id: '1' },
              ...next()
                .split('')
                .map((delta) => ({ type: 'text-delta', id: '1', delta })),
              { type: 'text-end', id: '1' },
              { type: 'finish', finishReason: 'stop', usage: {} },
            ]),
        }),
        options,
      );
    },
  ],
  [
    'fromLangChain()',
    (options) => fromLangChain(new FakeListChatModel({ responses: [...TURNS] }), options),
  ],
];

let app: TestingModule;
afterEach(() => app?.close());

describe.each(MODELS)('%s', (_, create) => {
  it.each([
    ['run', false],
    ['stream', true],
  ])("with `toolCalling: 'prompt'` calls tools from text (%s)", async (_name, isStream) => {
    app = await createApp({ providers: [Orders] });
    const agent = app.get(AgentService);
    const options = { model: create({ toolCalling: 'prompt' }) };
    const result = isStream
      ? await agent.stream('Order 7?', options).result
      : await agent.run('Order 7?', options);
    expect(app.get(Orders).found).toEqual(['7']);
    expect(result.text).toBe('Order 7 was shipped.');
  });

  it('leaves such text alone without it', async () => {
    app = await createApp({});
    const model = fromNative(create);
    const { text } = await app.get(AgentService).run('Order 7?', { model });
    expect(text).toBe(TURNS[0]);
  });

  it('refuses another word', () => {
    expect(() => create({ toolCalling: 'text' as never })).toThrow("Use 'native' or 'prompt'.");
  });

  it('is stopped by forbidRealModels()', async () => {
    const model = create({ toolCalling: 'prompt', retry: { maxRetries: 0 } });
    const allow = forbidRealModels();
    try {
      await expect(model.generate({ messages: [] }, {})).rejects.toThrow('must not be asked');
      await expect(
        model.stream({ messages: [] }, {})[Symbol.asyncIterator]().next(),
      ).rejects.toThrow('must not be asked');
    } finally {
      allow();
    }
    expect((await model.generate({ messages: [] }, {})).finishReason).toBe('stop');
  });
});

/** LangChain's fakes have no `bindTools()`. */
function fromNative(create: (options: Options) => ChatModel): ChatModel {
  const prompted = create({ toolCalling: 'prompt' });
  const isLangChain = prompted.name.includes('fake');
  return isLangChain
    ? fromLangChain(
        Object.assign(new FakeListChatModel({ responses: [...TURNS] }), {
          bindTools: () => undefined,
        }) as never,
      )
    : create({});
}

describe('openai()', () => {
  const answer = (content: string) =>
    Response.json({ choices: [{ message: { content }, finish_reason: 'stop' }] });

  it("with `toolCalling: 'prompt'` sends no tools", async () => {
    const bodies: Record<string, unknown>[] = [];
    const turns = [...TURNS];
    const model = openai({
      model: 'm',
      baseURL: 'http://localhost:1/v1',
      toolCalling: 'prompt',
      parallelToolCalls: false,
      fetch: async (_url, init) => {
        bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
        return answer(turns.shift() ?? '');
      },
    });
    app = await createApp({ providers: [Orders] });
    const { text } = await app.get(AgentService).run('Order 7?', { model });
    expect(text).toBe('Order 7 was shipped.');
    for (const body of bodies) {
      expect(body).not.toHaveProperty('tools');
      expect(body).not.toHaveProperty('tool_choice');
      expect(body).not.toHaveProperty('parallel_tool_calls');
    }
    expect(JSON.stringify(bodies[1])).toContain('shipped');
    expect(JSON.stringify(bodies[1])).not.toContain('it is lost');
  });

  it('with `salvage` takes calls from the text', async () => {
    const create = (salvage: boolean) => {
      const turns = ['<tool_call>{"name":"find","arguments":{"no":"7"}}</tool_call>', 'Shipped.'];
      return openai({
        model: 'm',
        baseURL: 'http://localhost:1/v1',
        salvage,
        fetch: async () => answer(turns.shift() ?? ''),
      });
    };
    app = await createApp({ providers: [Orders] });
    const agent = app.get(AgentService);
    expect((await agent.run('Order 7?', { model: create(false) })).text).toContain('<tool_call>');
    expect(app.get(Orders).found).toEqual([]);
    expect((await agent.run('Order 7?', { model: create(true) })).text).toBe('Shipped.');
    expect(app.get(Orders).found).toEqual(['7']);
  });
});
