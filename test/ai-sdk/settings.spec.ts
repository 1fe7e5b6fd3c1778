import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from '@jest/globals';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import {
  ChatModelException,
  toOpenAIStrictSchema,
  toOpenAISchema,
  type ChatRequest,
  type ChatSettings,
  type ChatTool,
} from 'nestjs-agent-tools';
import {
  fromAiSdk,
  type AiSdkLanguageModel,
  type AiSdkOptions,
  type AiSdkSpecification,
} from 'nestjs-agent-tools/ai-sdk';
import { scripted } from 'nestjs-agent-tools/testing';
import { fake } from './support/fakes.js';

const sdk = createOpenAI({ apiKey: 'k' });
const VERSIONS: AiSdkSpecification[] = ['v2', 'v3', 'v4'];
const FIND: ChatTool = {
  name: 'find',
  description: 'Finds an order.',
  inputSchema: { type: 'object', properties: { no: { type: 'string', minLength: 2 } } },
};

async function callOf(
  request: Partial<ChatRequest>,
  options?: AiSdkOptions,
  version?: AiSdkSpecification,
): Promise<Record<string, unknown>> {
  const model = fake({ version, generate: () => ({ content: [], finishReason: 'stop' }) });
  await fromAiSdk(model, options).generate({ messages: [], ...request }, {});
  const { prompt: _, abortSignal: __, ...call } = model.calls[0] ?? {};
  return call;
}

describe('Settings', () => {
  it.each(VERSIONS)('reach a model of %s under its own words', async (version) => {
    const schema = { type: 'object', properties: {} } as const;
    const call = await callOf(
      {},
      {
        temperature: 0,
        topP: 0.5,
        maxTokens: 100,
        stop: ['END'],
        seed: 7,
        responseFormat: { type: 'json', schema, name: 'answer', description: 'It.', strict: true },
        headers: { 'x-tenant': 'a' },
        providerOptions: { acme: { tier: 'flex' } },
        ...(version === 'v4' && { reasoningEffort: 'low' }),
      },
      version,
    );
    expect(call).toEqual({
      temperature: 0,
      topP: 0.5,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      seed: 7,
      responseFormat: { type: 'json', schema, name: 'answer', description: 'It.' },
      headers: { 'x-tenant': 'a' },
      providerOptions: { acme: { tier: 'flex' } },
      ...(version === 'v4' && { reasoning: 'low' }),
    });
  });

  it('that are not given are not there', async () => {
    expect(await callOf({})).toEqual({});
  });

  it('of a request win over those of the model, headers entry by entry', async () => {
    const call = await callOf(
      { settings: { temperature: 1, headers: { b: '2' }, responseFormat: { type: 'text' } } },
      { temperature: 0, topP: 1, headers: { a: '1' } },
    );
    expect(call).toEqual({
      temperature: 1,
      topP: 1,
      headers: { a: '1', b: '2' },
      responseFormat: { type: 'text' },
    });
  });

  const lacking: [keyof ChatSettings, unknown, string][] = [
    ['parallelToolCalls', false, 'providerOptions'],
    ['reasoningBudget', 10, 'providerOptions'],
    ['body', {}, 'providerOptions'],
    ['baseURL', 'http://localhost', 'createOpenAI({ baseURL })'],
    ['apiKey', 'k', 'createOpenAI({ apiKey })'],
    [
      'responseFormat',
      { type: 'json', strict: false, schema: FIND.inputSchema },
      'strictJsonSchema',
    ],
  ];

  it.each(lacking)('that the AI SDK lacks are refused: %s', async (name, value, remedy) => {
    const settings = { [name]: value };
    expect(() => fromAiSdk(fake({}), settings)).toThrow(ChatModelException);
    expect(() => fromAiSdk(fake({}), settings)).toThrow(remedy);
    const refused = callOf({ settings });
    await expect(refused).rejects.toThrow(`\`${name}`);
    await expect(refused).rejects.toThrow(remedy);
  });

  it.each(['v2', 'v3'] as const)('lack the effort of reasoning in %s', async (version) => {
    const settings: ChatSettings = { reasoningEffort: 'low' };
    expect(() => fromAiSdk(fake({ version }), settings)).toThrow('providerOptions');
    await expect(callOf({ settings }, {}, version)).rejects.toThrow('`reasoningEffort`');
  });

  it('that there are not are refused, without a remedy that is none here', async () => {
    const make = () =>
      fromAiSdk(fake({}), { max_tokens: 5, apikey: 'k', tollImages: 'user' } as object);
    expect(make).toThrow(
      'fromAiSdk() has no option `max_tokens` (did you mean `maxTokens`?), `apikey`, `tollImages` (did you ' +
        'mean `toolImages`?). What only its provider knows belongs into `providerOptions` of fromAiSdk().',
    );
    const refused = callOf({ settings: { tier: 'flex' } as object });
    await expect(refused).rejects.toThrow(
      '`tier`. What only its provider knows belongs into `provider',
    );
  });

  it.each<[unknown, string]>([
    [{ reasoningEffort: 'low', user: 1 }, '{ acme: { reasoningEffort: …, user: … } }'],
    [{ acme: { user: 'a' }, tags: ['b'] }, '{ acme: { tags: … } }'],
    ['low', '{ acme: { … } }'],
  ])('of the provider must be under its name: %j', (given, form) => {
    const providerOptions = given as AiSdkOptions['providerOptions'];
    const make = () => fromAiSdk(fake({}), { providerOptions });
    expect(make).toThrow(ChatModelException);
    expect(make).toThrow(`\`providerOptions\` are under the name of their provider: ${form}.`);
  });

  it('of the provider may be of several ones, or none', () => {
    const providerOptions = { acme: {}, other: { a: 1 }, ...({ none: undefined } as object) };
    expect(() => fromAiSdk(fake({}), { providerOptions })).not.toThrow();
  });

  it('of no use are refused', () => {
    expect(() => fromAiSdk(fake({}), { temperature: -1 })).toThrow('`temperature` must be');
    const timeouts = { connect: 5 } as AiSdkOptions['timeouts'];
    expect(() => fromAiSdk(fake({}), { timeouts })).toThrow('timeouts.firstChunk');
  });
});

describe('Tools', () => {
  it.each(VERSIONS)('are told to a model of %s as they are', async (version) => {
    const { tools } = await callOf({ tools: [FIND, { ...FIND, strict: true }] }, {}, version);
    const plain = { type: 'function', ...FIND };
    expect(tools).toEqual([plain, version === 'v2' ? plain : { ...plain, strict: true }]);
    expect((tools as ChatTool[])[0]?.inputSchema).toBe(FIND.inputSchema);
  });

  it('are told in the dialect that is asked for, made once', async () => {
    const toolSchemas = { plain: toOpenAISchema, strict: toOpenAIStrictSchema };
    const model = fake({ generate: () => ({ content: [], finishReason: 'stop' }) });
    const adapted = fromAiSdk(model, { toolSchemas });
    const request = { messages: [], tools: [{ ...FIND, strict: true }] };
    await adapted.generate(request, {});
    await adapted.generate(request, {});
    const [first, second] = model.calls.map(({ tools }) => (tools as ChatTool[])[0]);
    expect(first).toMatchObject({ strict: true, inputSchema: { additionalProperties: false } });
    expect(second?.inputSchema).toBe(first?.inputSchema);
  });

  it('that cannot be strict are known before the first request', () => {
    expect(fromAiSdk(fake({ version: 'v2' })).toolSchemas?.strict).toBeUndefined();
    expect(fromAiSdk(fake({ version: 'v3' })).toolSchemas?.strict).toBeDefined();
    const plain = toOpenAISchema;
    expect(fromAiSdk(fake({}), { toolSchemas: { plain } }).toolSchemas?.strict).toBeUndefined();
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
    [{ tool: 'find' }, { type: 'tool', toolName: 'find' }],
  ] as const)('are chosen: %j', async (toolChoice, expected) => {
    expect(await callOf({ tools: [FIND], toolChoice })).toMatchObject({ toolChoice: expected });
  });

  it('are not chosen if there are none', async () => {
    expect(await callOf({ toolChoice: 'none' })).toEqual({});
    expect(await callOf({ toolChoice: 'auto', tools: [] })).toEqual({});
  });
});

describe('fromAiSdk()', () => {
  it('names the model as its provider does', () => {
    expect(fromAiSdk(fake({})).name).toBe('acme.messages:m1');
  });

  it('says which specifications it knows', () => {
    const model = { ...fake({}), specificationVersion: 'v9' } as unknown as AiSdkLanguageModel;
    expect(() => fromAiSdk(model)).toThrow(/knows the specifications v2, v3, v4 .*m1 has "v9"/);
  });

  it.each<[string, unknown]>([
    ['the text "openai/gpt-5"', 'openai/gpt-5'],
    ['nothing', undefined],
    ['nothing', null],
    ['something else', {}],
    ['something else', 5],
    ["the provider. Call it with the name of a model: openai('gpt-5-mini')", sdk],
    ["the provider. Call it with the name of a model: openai('gpt-5-mini')", { ...sdk }],
    ['a function. Give what it makes', createOpenAI],
    ['an embedding model', sdk.embedding('text-embedding-3-small')],
    ['a model for something else than language, such as images or speech', sdk.image('dall-e-3')],
    ['a model for something else than language, such as images or speech', sdk.speech('tts-1')],
    [
      'a model for something else than language, such as images or speech',
      { ...fake({}), doStream: undefined },
    ],
    [
      'a model of LangChain, which is for fromLangChain()',
      new FakeListChatModel({ responses: [] }),
    ],
    ['a chat model of this package, which needs no adapter', scripted([])],
  ])('says what it got in place of a language model: %s', (what, model) => {
    const make = () => fromAiSdk(model as AiSdkLanguageModel);
    expect(make).toThrow(ChatModelException);
    expect(make).toThrow('needs a language model');
    expect(make).toThrow(`and got ${what}.`);
  });
});
