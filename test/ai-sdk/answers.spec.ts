import { describe, expect, it } from '@jest/globals';
import {
  ChatStreamAssembler,
  ChatStreamException,
  type ChatRequest,
  type ChatResponse,
} from 'nestjs-agent-tools';
import { fromAiSdk, type AiSdkSpecification } from 'nestjs-agent-tools/ai-sdk';
import { collect, failure } from '../models/test-server.js';
import { endOf, fake, partsOf, textParts, USAGE_V2, USAGE_V3, type Part } from './support/fakes.js';

const ASKED: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }] };
const VERSIONS: AiSdkSpecification[] = ['v2', 'v3', 'v4'];

async function streamed(
  parts: readonly unknown[],
  version: AiSdkSpecification = 'v4',
  provider?: string,
): Promise<ChatResponse> {
  const model = fromAiSdk(fake({ version, provider, stream: () => partsOf(parts) }));
  const assembler = new ChatStreamAssembler();
  for await (const delta of model.stream(ASKED, {})) assembler.push(delta);
  return assembler.finish();
}

function generated(answer: object, version: AiSdkSpecification = 'v4'): Promise<ChatResponse> {
  const whole = { warnings: [], ...endOf(version, 'stop'), ...answer };
  const model = fromAiSdk(fake({ version, generate: () => whole }), { retry: { maxRetries: 0 } });
  return model.generate(ASKED, {});
}

const END: Part = { type: 'finish', ...endOf('v4', 'stop') };
const mark = (part: number, values: object = {}) => ({
  'ai-sdk': { provider: 'acme.messages', part, ...values },
});

describe.each(VERSIONS)('An answer of specification %s', (version) => {
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"no":"A1"}' };
  const signed = { acme: { signature: 'sig' } };

  it('is the same streamed and whole', async () => {
    const end = endOf(version, 'tool-calls');
    const whole = await generated(
      {
        content: [
          { type: 'reasoning', text: 'Let me look.', providerMetadata: signed },
          { type: 'text', text: 'One moment.' },
          { ...call, providerMetadata: { acme: { itemId: 'i1' } } },
        ],
        ...end,
      },
      version,
    );
    const inPieces = await streamed(
      [
        { type: 'stream-start', warnings: [] },
        { type: 'response-metadata', id: 'r1' },
        { type: 'reasoning-start', id: 'a' },
        { type: 'reasoning-delta', id: 'a', delta: 'Let me ' },
        { type: 'reasoning-delta', id: 'a', delta: 'look.' },
        { type: 'reasoning-end', id: 'a', providerMetadata: signed },
        { type: 'text-start', id: 'a' },
        { type: 'text-delta', id: 'a', delta: 'One ' },
        { type: 'text-delta', id: 'a', delta: 'moment.' },
        { type: 'text-end', id: 'a' },
        { type: 'tool-input-start', id: 'c1', toolName: 'find' },
        { type: 'tool-input-delta', id: 'c1', delta: '{"no":' },
        { type: 'tool-input-delta', id: 'c1', delta: '"A1"}' },
        { type: 'tool-input-end', id: 'c1' },
        { ...call, providerMetadata: { acme: { itemId: 'i1' } } },
        { type: 'finish', ...end },
      ],
      version,
    );
    expect(inPieces).toEqual(whole);
    expect(whole).toEqual({
      content: [
        { type: 'reasoning', text: 'Let me look.', providerMetadata: mark(0, { options: signed }) },
        { type: 'text', text: 'One moment.' },
        {
          type: 'tool-call',
          id: 'c1',
          name: 'find',
          arguments: '{"no":"A1"}',
          providerMetadata: {
            'ai-sdk': { provider: 'acme.messages', options: { acme: { itemId: 'i1' } } },
          },
        },
      ],
      finishReason: 'tool-calls',
      usage: {
        inputTokens: 10,
        outputTokens: 4,
        totalTokens: 14,
        cacheReadTokens: 3,
        reasoningTokens: 1,
        ...(version !== 'v2' && { cacheWriteTokens: 2 }),
      },
    });
  });

  it.each(['stop', 'tool-calls', 'length', 'content-filter', 'error'])(
    'ends with the reason %s',
    async (reason) => {
      const parts = [
        ...textParts('Hi').slice(0, -1),
        { type: 'finish', ...endOf(version, reason) },
      ];
      expect((await streamed(parts, version)).finishReason).toBe(reason);
      const whole = await generated({ content: [], ...endOf(version, reason) }, version);
      expect(whole.finishReason).toBe(reason);
    },
  );

  it('is cut off without a finish, and says what came', async () => {
    const error = await failure<ChatStreamException>(
      streamed(textParts('So far', version).slice(0, -1), version),
    );
    expect(error).toBeInstanceOf(ChatStreamException);
    expect(error.partial).toEqual([{ type: 'text', text: 'So far' }]);
  });
});

describe('The finish of an answer', () => {
  it.each<[string, unknown]>([
    ['v2', 'unknown'],
    ['v3', { unified: 'other', raw: undefined }],
    ['v4', { unified: 'interrupted', raw: undefined }],
  ])('that a provider of %s made up for a broken stream is none', async (version, finishReason) => {
    const parts = [...textParts('Hi').slice(0, -1), { type: 'finish', finishReason, usage: {} }];
    const broken = streamed(parts, version as AiSdkSpecification);
    await expect(broken).rejects.toThrow(ChatStreamException);
  });

  it('is of another kind if the provider has a word for it that nobody else has', async () => {
    const finishReason = { unified: 'other', raw: 'pause_turn' };
    const { finishReason: reason } = await streamed([{ ...END, finishReason }]);
    expect(reason).toBe('other');
  });

  it('may lack a reason in a whole answer', async () => {
    const answer = await generated({ content: [], finishReason: 'unknown' }, 'v2');
    expect(answer.finishReason).toBe('other');
  });

  it('of a whole answer can say that it was interrupted', async () => {
    const finishReason = { unified: 'interrupted', raw: undefined };
    const content = [{ type: 'text', text: 'So f' }];
    await expect(generated({ content, finishReason })).rejects.toThrow(ChatStreamException);
  });
});

describe('Usage', () => {
  const usageOf = async (usage: unknown, provider?: string, providerMetadata?: unknown) => {
    const version = provider ? 'v2' : 'v4';
    const end = { type: 'finish', ...endOf(version, 'stop'), usage, providerMetadata };
    return (await streamed([end], version, provider)).usage;
  };

  it.each([
    undefined,
    null,
    {},
    { inputTokens: {}, outputTokens: {} },
    { inputTokens: -1 },
    'many',
  ])('is left out where there is none: %j', async (usage) => {
    expect(await usageOf(usage)).toBeUndefined();
  });

  it('is summed up where there is no total', async () => {
    const usage = {
      inputTokens: { ...USAGE_V3.inputTokens, total: undefined },
      outputTokens: { text: 3, reasoning: 1 },
    };
    expect(await usageOf(usage)).toMatchObject({
      inputTokens: 10,
      outputTokens: 4,
      totalTokens: 14,
    });
  });

  it('counts what came from a cache only once, however V2 counts it', async () => {
    const apart = { inputTokens: 5, outputTokens: 4, totalTokens: 9, cachedInputTokens: 3 };
    const metadata = { anthropic: { cacheCreationInputTokens: 2 } };
    expect(await usageOf(apart, 'anthropic.messages', metadata)).toEqual({
      inputTokens: 10,
      outputTokens: 4,
      totalTokens: 14,
      cacheReadTokens: 3,
      cacheWriteTokens: 2,
    });
    expect(await usageOf(USAGE_V2, 'openai.chat')).toMatchObject({ inputTokens: 10 });
  });
});

describe('Parts of a stream', () => {
  it('are told apart by their ids', async () => {
    const { content } = await streamed([
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'One' },
      { type: 'text-end', id: '1' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Two' },
      { type: 'text-end', id: '1' },
      END,
    ]);
    expect(content).toEqual([
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ]);
  });

  it('carry the last values of their provider', async () => {
    const { content } = await streamed([
      { type: 'reasoning-start', id: '1', providerMetadata: { acme: { itemId: 'r', key: null } } },
      { type: 'reasoning-delta', id: '1', delta: 'Hm' },
      { type: 'reasoning-end', id: '1', providerMetadata: { acme: { itemId: 'r', key: 'k' } } },
      END,
    ]);
    const options = { acme: { itemId: 'r', key: 'k' } };
    expect(content).toEqual([
      { type: 'reasoning', text: 'Hm', providerMetadata: mark(0, { options }) },
    ]);
  });

  it('without text and values leave nothing behind', async () => {
    const { content } = await streamed([
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-end', id: '1' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: '' },
      END,
    ]);
    expect(content).toEqual([]);
  });

  it.each<unknown>([
    { type: 'raw', rawValue: 1 },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
    { type: 'file', mediaType: 'image/png', data: 'AA==' },
    { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AA==' } },
    { type: 'ping' },
    {
      type: 'custom',
      kind: 'anthropic.message_start',
      providerMetadata: { anthropic: { id: 'm' } },
    },
    { type: 'of the future' },
    { type: 'text-delta', id: '1', delta: 5 },
    null,
    'text',
  ])('of no use are passed over: %j', async (part) => {
    expect((await streamed([part, ...textParts('Hi')])).content).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('become pieces of a chat model as they come', async () => {
    const model = fromAiSdk(fake({ stream: () => partsOf(textParts('Hi')) }));
    expect(await collect(model.stream(ASKED, {}))).toEqual([
      { type: 'text', text: 'Hi', part: 0 },
      { type: 'usage', usage: expect.anything() },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});

describe('Calls', () => {
  const callOf = (values: object) => ({
    type: 'tool-call',
    toolCallId: 'c',
    toolName: 'f',
    ...values,
  });

  it('are not run by halves: input without a whole call is none', async () => {
    const { content } = await streamed([
      { type: 'tool-input-start', id: 'c', toolName: 'f' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a":1}' },
      END,
    ]);
    expect(content).toEqual([]);
  });

  it('of one id are calls of their own', async () => {
    const { content } = await streamed([callOf({ input: '{}' }), callOf({ input: '{}' }), END]);
    expect(content).toHaveLength(2);
    expect(new Set(content.map((part) => part.type === 'tool-call' && part.id)).size).toBe(2);
  });

  it.each<[unknown, string]>([
    ['', '{}'],
    [undefined, '{}'],
    [{ a: 1 }, '{"a":1}'],
    ['{"a":', '{"a":'],
  ])('with the input %j have the arguments %s', async (input, json) => {
    const { content } = await streamed([callOf({ input }), END]);
    expect(content).toMatchObject([{ type: 'tool-call', arguments: json }]);
  });

  it('that the provider runs itself are kept with their results, but are no calls', async () => {
    const parts = [
      { type: 'tool-input-start', id: 'w', toolName: 'web_search', providerExecuted: true },
      { ...callOf({ toolCallId: 'w', input: '{"q":"x"}' }), providerExecuted: true },
      {
        type: 'tool-result',
        toolCallId: 'w',
        toolName: 'f',
        result: [{ url: 'u' }],
        preliminary: true,
      },
      {
        type: 'tool-result',
        toolCallId: 'w',
        toolName: 'f',
        result: [{ url: 'u' }],
        providerMetadata: { acme: { id: 7 } },
      },
      { type: 'custom', kind: 'acme.compaction', providerMetadata: { acme: { c: 1 } } },
      ...textParts('Found.'),
    ];
    const { content } = await streamed(parts);
    expect(content.map(({ type }) => type)).toEqual([
      'reasoning',
      'reasoning',
      'reasoning',
      'text',
    ]);
    expect(content[0]).toMatchObject({ text: '', providerMetadata: { 'ai-sdk': { part: 0 } } });
    expect(content[1]?.providerMetadata?.['ai-sdk']?.opaque).toEqual({
      type: 'tool-result',
      toolCallId: 'w',
      toolName: 'f',
      output: { type: 'json', value: [{ url: 'u' }] },
      providerOptions: { acme: { id: 7 } },
    });
  });
});
