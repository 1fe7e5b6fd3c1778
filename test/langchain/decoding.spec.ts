import { describe, expect, it } from '@jest/globals';
import { FakeListChatModel, FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { fromLangChain } from 'nestjs-agent-tools/langchain';
import { collect } from '../models/test-server.js';
import { ASK, generated, streamed } from './support/ask.js';

describe('answers of LangChain models', () => {
  it('are read from the fakes of LangChain', async () => {
    const list = fromLangChain(new FakeListChatModel({ responses: ['Hi'] }));
    expect(await list.generate(ASK, {})).toEqual({
      content: [{ type: 'text', text: 'Hi' }],
      finishReason: 'stop',
    });
    const streaming = fromLangChain(
      new FakeStreamingChatModel({ chunks: ['a', 'b'].map((content) => ({ content }) as never) }),
    );
    expect((await collect(streaming.stream(ASK, {}))).map((delta) => delta.type)).toEqual([
      'text',
      'text',
      'finish',
    ]);
  });

  it('have their thinking, with its signature, before the text', async () => {
    const thinking = { type: 'thinking', thinking: 'Well now', signature: 'sig' };
    const whole = await generated(
      { content: [thinking, { type: 'text', text: 'Yes.' }] },
      'anthropic',
    );
    expect(whole.content).toMatchObject([
      {
        type: 'reasoning',
        text: 'Well now',
        providerMetadata: {
          'langchain:anthropic': { block: { type: 'thinking', signature: 'sig' } },
        },
      },
      { type: 'text', text: 'Yes.' },
    ]);
    const inPieces = await streamed(
      [
        { content: [{ index: 0, type: 'thinking', thinking: '', signature: '' }] },
        { content: [{ index: 0, type: 'thinking', thinking: 'Well ' }] },
        { content: [{ index: 0, type: 'thinking', thinking: 'now' }] },
        { content: [{ index: 0, type: 'thinking', signature: 'sig' }] },
        { content: [{ index: 1, type: 'text', text: 'Y' }] },
        { content: [{ index: 1, type: 'text', text: 'es.' }] },
        { content: [], additional_kwargs: { stop_reason: 'end_turn' } },
      ],
      'anthropic',
    );
    expect(inPieces.content).toEqual(whole.content);
    expect(inPieces.finishReason).toBe('stop');
  });

  it.each(['reasoning_content', 'reasoning'])('have reasoning in the field %s', async (field) => {
    const { content } = await streamed([
      { content: '', additional_kwargs: { [field]: 'We' } },
      { content: '', additional_kwargs: { [field]: 'll' } },
      { content: 'Yes.' },
    ]);
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Well' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(content).toHaveLength(2);
  });

  it('do not repeat reasoning that is in the content as well', async () => {
    const { content } = await generated({
      content: [
        { type: 'reasoning', reasoning: 'Well' },
        { type: 'text', text: 'Yes.' },
      ],
      additional_kwargs: { reasoning_content: 'Well' },
    });
    expect(content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  });

  it('have whole calls from models that do not stream them', async () => {
    const { content, finishReason } = await streamed([
      {
        content: '',
        tool_calls: [
          { name: 'f', args: { a: 1 }, id: 'x', type: 'tool_call' },
          { name: 'f', args: { a: 2 }, id: 'y', type: 'tool_call' },
        ],
      },
    ]);
    expect(content).toEqual([
      { type: 'tool-call', id: 'x', name: 'f', arguments: '{"a":1}' },
      { type: 'tool-call', id: 'y', name: 'f', arguments: '{"a":2}' },
    ]);
    expect(finishReason).toBe('tool-calls');
  });

  it('keep calls that LangChain cannot parse, also without a name', async () => {
    const invalid = { type: 'invalid_tool_call', error: 'Malformed args.' } as const;
    const { content } = await generated({
      content: '',
      invalid_tool_calls: [
        { ...invalid, id: 'x', name: 'f', args: '{"a": ' },
        { ...invalid, id: 'y', args: '{}' },
      ],
    });
    expect(content).toEqual([
      { type: 'tool-call', id: 'x', name: 'f', arguments: '{"a": ' },
      { type: 'tool-call', id: 'y', name: 'unknown_tool', arguments: '{}' },
    ]);
  });

  it('keep calls of the provider’s own tools as opaque values, and make no calls of them', async () => {
    const { content } = await streamed(
      [
        {
          content: [{ index: 0, type: 'server_tool_use', id: 's', name: 'web_search', input: '' }],
        },
        {
          content: [{ index: 0, type: 'input_json_delta', input: '{"q":' }],
          tool_call_chunks: [{ index: 0, args: '{"q":' }],
        },
        {
          content: [{ index: 0, type: 'input_json_delta', input: '1}' }],
          tool_call_chunks: [{ index: 0, args: '1}' }],
        },
        {
          content: [
            { index: 1, type: 'web_search_tool_result', tool_use_id: 's', content: [{ a: 1 }] },
          ],
        },
        { content: [{ index: 2, type: 'text', text: 'Found.' }] },
        { content: [], additional_kwargs: { stop_reason: 'end_turn' } },
      ],
      'anthropic',
    );
    const block = (value: object) => ({
      type: 'text',
      text: '',
      providerMetadata: { 'langchain:anthropic': { block: value } },
    });
    expect(content).toEqual([
      block({ type: 'server_tool_use', id: 's', name: 'web_search', input: '{"q":1}' }),
      block({ type: 'web_search_tool_result', tool_use_id: 's', content: [{ a: 1 }] }),
      { type: 'text', text: 'Found.' },
    ]);
  });

  it('add up the usage of chunks', async () => {
    const { usage } = await streamed([
      {
        content: 'a',
        usage_metadata: {
          input_tokens: 10,
          output_tokens: 0,
          total_tokens: 10,
          input_token_details: { cache_read: 4, cache_creation: 2 },
        },
      },
      { content: '', usage_metadata: { input_tokens: 0, output_tokens: 5, total_tokens: 5 } },
    ]);
    expect(usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
    });
  });

  it.each([
    ['length', { finish_reason: 'length' }],
    ['length', { finishReason: 'MAX_TOKENS' }],
    ['tool-calls', { stop_reason: 'tool_use' }],
    ['content-filter', { finishReason: 'SAFETY' }],
    ['stop', { done_reason: 'stop' }],
    ['stop', { messageStop: { stopReason: 'end_turn' } }],
    ['length', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
    ['error', { status: 'failed' }],
    ['other', { finish_reason: 'tired' }],
    ['stop', {}],
  ] as const)('end with %s for %j', async (reason, response_metadata) => {
    expect((await generated({ content: 'a', response_metadata })).finishReason).toBe(reason);
    expect((await streamed([{ content: 'a', response_metadata }])).finishReason).toBe(reason);
  });

  it.each(['openai', 'anthropic'])(
    'are cut off without a reason in a stream of %s',
    async (type) => {
      await expect(streamed([{ content: 'a' }], type)).rejects.toThrow('cut off');
    },
  );

  it.each([
    [['length', 'stop'], 'length'],
    [['stop', 'length'], 'length'],
    [['FINISH_REASON_UNSPECIFIED', 'STOP'], 'stop'],
    [['FINISH_REASON_UNSPECIFIED', 'MAX_TOKENS'], 'length'],
  ])('have of the reasons %j to stop the one that says most: %s', async (reasons, expected) => {
    const answer = await streamed([
      { content: '' },
      ...reasons.map((finishReason) => ({ content: 'a', response_metadata: { finishReason } })),
    ]);
    expect(answer.finishReason).toBe(expected);
  });

  it('have one choice only', async () => {
    const { content } = await streamed([
      { content: 'a', response_metadata: { completion: 0 } },
      { content: 'x', response_metadata: { completion: 1 } },
      { content: 'b', response_metadata: { completion: 0 } },
    ]);
    expect(content).toEqual([{ type: 'text', text: 'ab' }]);
  });

  it('may hold values of any kind where others are expected', async () => {
    const odd = {
      content: [null, 7, { type: 5 }, { type: 'text', text: 9 }, 'ok'],
      additional_kwargs: null,
      response_metadata: { finish_reason: {}, output: 'x' },
      usage_metadata: { input_tokens: 'many', output_tokens: null },
      tool_calls: [],
    };
    const model = fromLangChain({
      _llmType: () => 'odd',
      bindTools: () => model as never,
      invoke: async () => odd,
      stream: async () => (async function* () {})(),
    });
    const { content, usage, finishReason } = await model.generate(ASK, {});
    expect(content.map((part) => part.type === 'text' && part.text).filter(Boolean)).toEqual([
      'ok',
    ]);
    expect([usage, finishReason]).toEqual([undefined, 'stop']);
  });
});
