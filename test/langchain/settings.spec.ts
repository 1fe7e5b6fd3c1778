import { describe, expect, it } from '@jest/globals';
import type { ChatMessage, ChatSettings, ChatTool, ToolChoice } from 'nestjs-agent-tools';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { collect, failure, startServer } from '../models/test-server.js';
import { ASK } from './support/ask.js';
import { chatOpenAI, sendCompletion } from './support/chat-completions.js';
import { FakeChat } from './support/fake-chat.model.js';

const FIND: ChatTool = {
  name: 'find',
  description: 'Finds an order.',
  inputSchema: { type: 'object', properties: { no: { type: 'string' } }, required: ['no'] },
};
const ANY: ChatTool = { ...FIND, name: 'any' };
const ON_MODEL: readonly ChatSettings[] = [
  { temperature: 0 },
  { topP: 1 },
  { maxTokens: 5 },
  { seed: 1 },
  { reasoningEffort: 'low' },
  { reasoningBudget: 1 },
  { responseFormat: { type: 'json' } },
  { headers: { a: 'b' } },
  { body: { a: 1 } },
  { baseURL: 'http://x.y' },
  { apiKey: 'k' },
];

async function bodyFor(
  request: { tools?: readonly ChatTool[]; toolChoice?: ToolChoice; settings?: ChatSettings },
  options: Parameters<typeof fromLangChain>[1] = {},
): Promise<Record<string, unknown> | undefined> {
  const { url, requests } = await startServer((response) =>
    sendCompletion(response, { content: 'ok' }),
  );
  await fromLangChain(chatOpenAI(url), options).generate({ ...ASK, ...request }, {});
  return requests[0]?.body;
}

describe('settings of a LangChain model', () => {
  it.each(ON_MODEL)('of its own are refused: %j', async (settings) => {
    const [name] = Object.keys(settings);
    const remedy = `\`${name}\`: set it on the LangChain model.`;
    expect(() => fromLangChain(new FakeChat(), settings as object)).toThrow(remedy);
    const model = fromLangChain(new FakeChat());
    expect((await failure(model.generate({ ...ASK, settings }, {}))).message).toContain(remedy);
    expect((await failure(collect(model.stream({ ...ASK, settings }, {})))).message).toContain(
      remedy,
    );
  });

  it('are stop sequences; those of the request win', async () => {
    expect(await bodyFor({}, { stop: ['a'] })).toMatchObject({ stop: ['a'] });
    expect(await bodyFor({ settings: { stop: ['b'] } }, { stop: ['a'] })).toMatchObject({
      stop: ['b'],
    });
  });

  it('are parallel calls for OpenAI, with tools', async () => {
    const settings = { parallelToolCalls: false };
    expect(await bodyFor({ tools: [FIND], settings })).toMatchObject({
      parallel_tool_calls: false,
    });
    expect(await bodyFor({ settings })).not.toHaveProperty('parallel_tool_calls');
    expect(() => fromLangChain(new FakeChat(), settings)).toThrow('call option of OpenAI only');
  });

  it('are call options, passed on as they are', async () => {
    expect(await bodyFor({}, { callOptions: { seed: 7 } })).toMatchObject({ seed: 7 });
  });

  it.each(['tools', 'tool_choice', 'signal'])(
    'are no call options that this package sets itself: %s',
    (name) => {
      expect(() => fromLangChain(new FakeChat(), { callOptions: { [name]: [] } })).toThrow(
        `\`callOptions.${name}\`: `,
      );
    },
  );

  it('with a name that there is not are refused, with a remedy that is none here left out', async () => {
    const make = () => fromLangChain(new FakeChat(), { max_tokens: 5, callOption: {} } as object);
    expect(make).toThrow(
      'fromLangChain() has no option `max_tokens`, `callOption` (did you mean `callOptions`?). What only ' +
        'its provider knows is set on the LangChain model, or given as `callOptions`',
    );
    const settings = { tier: 'flex' } as object;
    const { message } = await failure(fromLangChain(new FakeChat()).generate({ ...ASK, settings }));
    expect(message).toContain('`tier`. What only its provider knows is set on the LangChain model');
  });
});

describe('tools of a LangChain model', () => {
  it.each([
    [undefined, undefined],
    ['auto', undefined],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'find' }, { type: 'function', function: { name: 'find' } }],
    [{ tool: 'any' }, { type: 'function', function: { name: 'any' } }],
  ] as const)('with the choice %j are asked for with %j', async (toolChoice, expected) => {
    const body = await bodyFor({ tools: [FIND, ANY], toolChoice });
    expect(body?.tool_choice).toEqual(expected);
  });

  it('are not strict if they do not say so', async () => {
    expect(await bodyFor({ tools: [FIND] })).toHaveProperty('tools', [
      {
        type: 'function',
        function: { name: 'find', description: 'Finds an order.', parameters: FIND.inputSchema },
      },
    ]);
  });

  it('are strict one by one', async () => {
    const body = await bodyFor({ tools: [{ ...FIND, strict: true }, ANY] });
    expect(body?.tools).toMatchObject([{ function: { strict: true } }, {}]);
    expect(JSON.stringify(body?.tools).match(/"strict"/g)).toHaveLength(1);
  });

  it('are bound once for each list and choice', async () => {
    const fake = new FakeChat();
    const model = fromLangChain(fake);
    const tools = [FIND];
    const ask = (toolChoice?: ToolChoice) => model.generate({ ...ASK, tools, toolChoice }, {});
    await ask();
    await ask('auto');
    await ask('none');
    await ask('none');
    expect(fake.binds).toBe(2);
    await model.generate({ ...ASK, tools: [FIND] }, {});
    expect(fake.binds).toBe(3);
    await model.generate({ ...ASK, tools: [] }, {});
    expect(fake.binds).toBe(3);
  });

  it('must be possible', () => {
    class NoTools extends FakeChat {
      override bindTools = undefined as never;
    }
    expect(() => fromLangChain(new NoTools())).toThrow("toolCalling: 'prompt'");
  });

  it('have the form that the provider takes', () => {
    const optional: ChatTool['inputSchema'] = {
      type: 'object',
      properties: { a: { type: 'string' } },
    };
    const dialects = fromLangChain(new FakeChat('openai')).toolSchemas;
    expect(dialects?.strict?.(optional).schema.required).toEqual(['a']);
    expect(fromLangChain(new FakeChat('ollama')).toolSchemas?.strict).toBeUndefined();
  });

  it('are converted once, by a dialect of the application too', async () => {
    let converted = 0;
    const plain = (schema: ChatTool['inputSchema']) => {
      converted++;
      return { schema, strict: false, losses: [], refusals: [] };
    };
    const model = fromLangChain(new FakeChat(), { toolSchemas: { plain } });
    await model.generate({ ...ASK, tools: [FIND] }, {});
    await model.generate({ ...ASK, tools: [{ ...FIND }] }, {});
    expect(converted).toBe(1);
    const [one, other] = [new FakeChat('openai'), new FakeChat('openai')].map((fake) =>
      fromLangChain(fake).toolSchemas?.strict?.(FIND.inputSchema),
    );
    expect(one).toBe(other);
  });
});

const HISTORY: readonly ChatMessage[] = [
  ...ASK.messages,
  { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'find', arguments: '{}' }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'c1', name: 'find', status: 'success', content: 'x' }],
  },
];

describe('a model that has no tool choice `none`', () => {
  const call = { id: 'c2', name: 'find', args: {}, type: 'tool_call' as const };
  const request = { tools: [FIND], toolChoice: 'none' } as const;

  it.each(['chat_bedrock_converse', 'bedrock', 'ollama'])(
    'is told of no tools: %s',
    async (type) => {
      const fake = new FakeChat(type);
      await fromLangChain(fake).generate({ ...ASK, ...request }, {});
      expect(fake.binds).toBe(0);
      await fromLangChain(fake).generate({ ...ASK, tools: [FIND] }, {});
      expect(fake.binds).toBe(1);
    },
  );

  it('is told of them if the history has calls, and a call is left out of its answer', async () => {
    const fake = new FakeChat('chat_bedrock_converse');
    fake.message = {
      content: 'Hm.',
      tool_calls: [call],
      response_metadata: { stopReason: 'tool_use' },
    };
    fake.chunks = [
      { content: 'Hm.', tool_call_chunks: [{ ...call, args: '{}', type: 'tool_call_chunk' }] },
      { content: '', response_metadata: { messageStop: { stopReason: 'tool_use' } } },
    ];
    const model = fromLangChain(fake);
    const asked = { ...request, messages: HISTORY };
    const answer = await model.generate(asked, {});
    expect(fake.asked[0]?.options).toMatchObject({ tools: [{ function: { name: 'find' } }] });
    expect(fake.asked[0]?.options).not.toHaveProperty('tool_choice');
    expect(answer).toMatchObject({
      content: [{ type: 'text', text: 'Hm.' }],
      finishReason: 'stop',
    });
    const pieces = await collect(model.stream(asked, {}));
    expect(pieces.map(({ type }) => type)).not.toContain('tool-call');
    expect(pieces.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    const calling = await model.generate({ ...asked, toolChoice: 'auto' }, {});
    expect(calling).toMatchObject({ finishReason: 'tool-calls' });
  });
});

describe('the name of a LangChain model', () => {
  it('is its type and name, or one that is given', () => {
    expect(fromLangChain(chatOpenAI('http://127.0.0.1:1')).name).toBe('openai:gpt-4o-mini');
    expect(fromLangChain(new FakeChat(), { name: 'mine' }).name).toBe('mine');
  });
});
