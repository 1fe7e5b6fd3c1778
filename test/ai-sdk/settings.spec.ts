import { describe, expect, it } from '@jest/globals';
import {
  ChatModelException,
  toOpenAiStrictSchema,
  toOpenAiSchema,
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
import { fake } from './support/fakes.js';

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
    ['responseFormat', { type: 'json', strict: false }, 'strictJsonSchema'],
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
    const toolSchemas = { plain: toOpenAiSchema, strict: toOpenAiStrictSchema };
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
    const plain = toOpenAiSchema;
    expect(fromAiSdk(fake({}), { toolSchemas: { plain } }).toolSchemas?.strict).toBeUndefined();
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
    [{ tool: 'find' }, { type: 'tool', toolName: 'find' }],
  ] as const)('are chosen: %j', async (toolChoice, expected) => {
    expect(await callOf({ tools: [FIND], toolChoice })).toMatchObject({ toolChoice: expected });
    expect(await callOf({ toolChoice })).toEqual({});
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

  it.each<unknown>(['openai/gpt-5', undefined, {}, { ...fake({}), doStream: undefined }])(
    'refuses what is no language model: %j',
    (model) => {
      const make = () => fromAiSdk(model as AiSdkLanguageModel);
      expect(make).toThrow(ChatModelException);
      expect(make).toThrow('needs a language model');
    },
  );
});
