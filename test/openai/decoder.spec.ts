import { describe, expect, it } from '@jest/globals';
import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatResponse,
  type ToolCallPart,
} from 'nestjs-agent-tools';
import { openai } from 'nestjs-agent-tools/openai';
import { collect } from '../models/test-server.js';

const STOP = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const piece = (delta: unknown, more = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const call = (...toolCalls: unknown[]) => piece({ tool_calls: toolCalls });

function deltas(chunks: readonly unknown[], done = true): Promise<ChatDelta[]> {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const text = [...events, ...(done ? ['data: [DONE]\n\n'] : [])].join('');
  const fetch = async () =>
    new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const model = openai({ model: 'm', baseURL: 'http://x', apiKey: '', fetch });
  return collect(model.stream({ messages: [] }, {}));
}

async function decode(...chunks: unknown[]): Promise<ChatResponse> {
  const assembler = new ChatStreamAssembler();
  for (const delta of await deltas(chunks)) assembler.push(delta);
  return assembler.finish();
}

async function calls(...chunks: unknown[]): Promise<[string, string, string][]> {
  const { content } = await decode(...chunks, STOP);
  return (content as ToolCallPart[]).map((part) => [part.id, part.name, part.arguments]);
}

const text = async (...chunks: unknown[]) => (await decode(...chunks, STOP)).content;

describe('a streamed answer', () => {
  describe('has calls', () => {
    it('of one or more pieces', async () => {
      const id = { id: 'a', type: 'function' };
      expect(
        await calls(
          call({ index: 0, ...id, function: { name: 'f', arguments: '' } }),
          call({ index: 0, function: { arguments: '{"x"' } }),
          call({ index: 0, function: { arguments: ':1}' } }),
        ),
      ).toEqual([['a', 'f', '{"x":1}']]);
    });

    it('of which several are in one chunk', async () => {
      expect(
        await calls(
          call(
            { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
            { index: 1, id: 'b', function: { name: 'g', arguments: '{"x":1}' } },
          ),
        ),
      ).toEqual([
        ['a', 'f', '{}'],
        ['b', 'g', '{"x":1}'],
      ]);
    });

    it('without an index', async () => {
      expect(
        await calls(
          call({ id: 'c1', function: { name: 'f', arguments: '{"a":' } }),
          call({ function: { arguments: '1}' } }),
        ),
      ).toEqual([['c1', 'f', '{"a":1}']]);
    });

    it('that all have the index 0', async () => {
      expect(
        await calls(
          call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"p":"a"}' } }),
          call({ index: 0, id: 'b', function: { name: 'f', arguments: '{"p":"b"}' } }),
        ),
      ).toEqual([
        ['a', 'f', '{"p":"a"}'],
        ['b', 'f', '{"p":"b"}'],
      ]);
    });

    it('with a late name, null as type and an empty role', async () => {
      expect(
        await calls(
          piece({
            role: '',
            tool_calls: [{ index: 0, id: 'x', type: null, function: { arguments: '' } }],
          }),
          call({ index: 0, function: { name: 'f', arguments: '{}' } }),
        ),
      ).toEqual([['x', 'f', '{}']]);
    });

    it('with a header that lacks the function', async () => {
      expect(
        await calls(
          call({ index: 0, id: 'call_x', type: 'function' }),
          call({ index: 0, function: { name: 'f', arguments: '{}' } }),
        ),
      ).toEqual([['call_x', 'f', '{}']]);
    });

    it('followed by an empty piece', async () => {
      expect(
        await calls(
          call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
          call({ index: 1, id: '', type: 'function', function: { arguments: null } }),
          call(null),
        ),
      ).toEqual([['a', 'f', '{}']]);
    });

    it.each([undefined, null, ''])('with %j as arguments', async (json) => {
      expect(
        await calls(call({ index: 0, id: 'a', function: { name: 'f', arguments: json } })),
      ).toEqual([['a', 'f', '{}']]);
    });

    it('with an object as arguments', async () => {
      expect(
        await calls(call({ index: 0, id: 'a', function: { name: 'f', arguments: { x: [1] } } })),
      ).toEqual([['a', 'f', '{"x":[1]}']]);
    });

    it('in the field of old servers', async () => {
      const [first] = await calls(
        piece({ function_call: { name: 'f', arguments: '' } }),
        piece({ function_call: { arguments: '{"x":1}' } }),
      );
      expect(first?.slice(1)).toEqual(['f', '{"x":1}']);
      expect(await calls(piece({ function_call: { name: '', arguments: '' } }))).toEqual([]);
    });

    it('with the opaque values of Google', async () => {
      const extra = { google: { thought_signature: 's' } };
      const { content } = await decode(
        call({ index: 0, id: 'a', function: { name: 'f' }, extra_content: extra }),
        STOP,
      );
      expect(content).toEqual([
        expect.objectContaining({ providerMetadata: { 'x:80': { extra_content: extra } } }),
      ]);
    });
  });

  it('shows text before the calls are complete', async () => {
    const list = await deltas([
      piece({ content: 'He', tool_calls: [] }),
      piece({ content: 'llo' }),
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      STOP,
    ]);
    expect(list.map(({ type }) => type)).toEqual(['text', 'text', 'tool-call', 'finish']);
  });

  it('survives chunks without choices, messages or anything', async () => {
    expect(
      await text(
        { choices: null },
        { choices: [] },
        { choices: [null] },
        { choices: [{ delta: null }] },
        {},
        null,
        7,
        piece({ content: null, tool_calls: null }),
        piece({ content: 7, tool_calls: {}, reasoning: {}, reasoning_details: {}, refusal: 1 }),
        piece({ content: [null, 7, { type: 'thinking', thinking: { a: 1 } }], tool_calls: [7] }),
        piece({ tool_calls: [{ index: '0', id: 7, function: { name: 8 } }] }),
        { choices: [7, 'x'], usage: 'none' },
        piece({ content: 'Hi' }),
      ),
    ).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  it('takes one choice of several', async () => {
    const { content } = await decode(
      {
        choices: [
          { index: 1, delta: { content: 'B' } },
          { index: 0, delta: { content: 'x' } },
        ],
      },
      { choices: [{ index: 1, delta: { content: 'C' } }] },
      { choices: [{ index: 0, delta: { content: 'y' } }] },
      { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] },
    );
    expect(content).toEqual([{ type: 'text', text: 'BC' }]);
    const other = { choices: [{ index: 1, delta: { content: 'x' } }] };
    expect(await text(piece({ content: 'A' }), other)).toEqual([{ type: 'text', text: 'A' }]);
  });

  it('ignores the message so far beside a piece', async () => {
    expect(
      await text(
        piece({ content: 'A' }, { message: { content: 'A' } }),
        piece({ content: 'B' }, { message: { content: 'AB' } }),
      ),
    ).toEqual([{ type: 'text', text: 'AB' }]);
  });

  describe('has reasoning', () => {
    it.each(['reasoning_content', 'reasoning', 'reasoning_text'])('in %s', async (field) => {
      expect(
        await text(
          piece({ content: '', [field]: 'H' }),
          piece({ content: null, [field]: 'm' }),
          piece({ content: 'A', [field]: null }),
        ),
      ).toEqual([
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'A' },
      ]);
    });

    it('once, when two fields have it', async () => {
      expect(await text(piece({ reasoning_content: 'Hm', reasoning: 'Hm' }))).toEqual([
        { type: 'reasoning', text: 'Hm' },
      ]);
    });

    it('in a content that is a list', async () => {
      const thinking = (value: string) =>
        piece({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: value }] }] });
      expect(
        await text(
          thinking('H'),
          thinking('m'),
          piece({ content: [{ type: 'text', text: 'A' }, { type: 'reference', ids: [1] }, 'B'] }),
          piece({ content: 'C' }),
        ),
      ).toEqual([
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'ABC' },
      ]);
    });

    it('with details, which are joined and kept, and do not double the text', async () => {
      const detail = (value: object) => ({
        type: 'reasoning.text',
        index: 0,
        format: null,
        ...value,
      });
      expect(
        await text(
          piece({ reasoning: 'H', reasoning_details: [detail({ text: 'H' })] }),
          piece({ reasoning: 'm', reasoning_details: [detail({ text: 'm' })] }),
          piece({ reasoning_details: [detail({ text: null, signature: 's', format: 'v1' })] }),
          piece({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] }),
          piece({ content: 'A', reasoning_details: [] }),
        ),
      ).toEqual([
        {
          type: 'reasoning',
          text: 'Hm',
          providerMetadata: {
            'x:80': {
              reasoning_details: [
                { type: 'reasoning.text', index: 0, text: 'Hm', signature: 's', format: 'v1' },
                { type: 'reasoning.encrypted', data: 'x', index: 1 },
              ],
            },
          },
        },
        { type: 'text', text: 'A' },
      ]);
    });

    it('in details only', async () => {
      const details = [
        { type: 'reasoning.summary', summary: 'In short' },
        { type: 'reasoning.encrypted', data: 'x' },
      ];
      expect(await text(piece({ reasoning_details: details }))).toEqual([
        {
          type: 'reasoning',
          text: 'In short',
          providerMetadata: { 'x:80': { reasoning_details: details } },
        },
      ]);
    });
  });

  it('shows a refusal as text and as the reason', async () => {
    expect(await decode(piece({ refusal: 'I ' }), piece({ refusal: 'cannot.' }), STOP)).toEqual({
      content: [{ type: 'text', text: 'I cannot.' }],
      finishReason: 'content-filter',
    });
    expect((await decode(piece({ content: 'A', refusal: '' }), STOP)).finishReason).toBe('stop');
  });

  it.each([
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['end_turn', 'stop'],
    ['eos', 'stop'],
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['tool_use', 'tool-calls'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['model_length', 'length'],
    ['content_filter', 'content-filter'],
    ['error', 'error'],
    ['constructor', 'other'],
    ['something_new', 'other'],
  ])('that ends with %s has the reason %s', async (wire, reason) => {
    expect((await decode(piece({ content: 'A' }, { finish_reason: wire }))).finishReason).toBe(
      reason,
    );
  });

  it('keeps its reason when a gateway adds a stop', async () => {
    const length = piece({}, { finish_reason: 'length' });
    expect((await decode(length, STOP)).finishReason).toBe('length');
  });

  it('sends its finish last and once', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const list = await deltas([piece({ content: 'A' }), STOP, STOP, { choices: [], usage }]);
    expect(list.map(({ type }) => type)).toEqual(['text', 'usage', 'finish']);
  });

  describe('is cut off', () => {
    const last = async (chunks: unknown[], done: boolean) => (await deltas(chunks, done)).at(-1);
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

    it('if it ends without a reason, with or without [DONE]', async () => {
      expect(await last([piece({ content: 'A' })], false)).toMatchObject({ type: 'text' });
      expect(await last([piece({ content: 'A' })], true)).toMatchObject({ type: 'text' });
      await expect(decode(piece({ content: 'A' }))).rejects.toMatchObject({
        partial: [{ type: 'text', text: 'A' }],
      });
    });

    it('unless the reason came and only [DONE] is missing', async () => {
      expect(await last([piece({ content: 'A' }), STOP], false)).toEqual({
        type: 'finish',
        reason: 'stop',
      });
    });

    it('unless the server sent the usage after all choices, and [DONE]', async () => {
      const closing = { choices: [], usage };
      const chunks = [piece({ content: 'A' }), closing];
      expect(await last(chunks, true)).toEqual({ type: 'finish', reason: 'stop' });
      expect(await last(chunks, false)).toMatchObject({ type: 'usage' });
      expect(await last([closing, piece({ content: 'A' })], true)).toMatchObject({ type: 'text' });
      const called = call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } });
      expect(await last([called, closing], true)).toEqual({ type: 'finish', reason: 'tool-calls' });
    });

    it('if an event is half a JSON text', async () => {
      const fetch = async () => new Response('data: {"choices":[{"delta":{"con');
      const model = openai({ model: 'm', baseURL: 'http://x', fetch });
      await expect(collect(model.stream({ messages: [] }, {}))).rejects.toMatchObject({
        message: expect.stringContaining('no JSON'),
        retryable: true,
      });
    });
  });

  describe('has its usage', () => {
    const read = async (...chunks: unknown[]) =>
      (await decode(piece({ content: 'A' }), STOP, ...chunks)).usage;
    const base = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const plain = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

    it.each([
      ['with the choices', { ...STOP, usage: base }],
      ['without choices', { choices: [], usage: base }],
      ['with null as choices', { choices: null, usage: base }],
      ['in a field of Groq', { ...STOP, x_groq: { id: 'r', usage: base } }],
    ])('%s', async (_, chunk) => {
      expect(await read(chunk)).toEqual(plain);
    });

    it('from the last chunk that has one, without adding', async () => {
      const more = { ...base, completion_tokens: 9, total_tokens: 19 };
      expect(
        await read({ ...STOP, usage: more }, { choices: [], usage: base }, { usage: null }),
      ).toEqual(plain);
    });

    it.each([
      [{ prompt_tokens_details: { cached_tokens: 4 } }, { cacheReadTokens: 4 }],
      [{ prompt_cache_hit_tokens: 4 }, { cacheReadTokens: 4 }],
      [{ num_cached_tokens: 4 }, { cacheReadTokens: 4 }],
      [{ cached_tokens: 4 }, { cacheReadTokens: 4 }],
      [{ prompt_tokens_details: { cache_write_tokens: 3 } }, { cacheWriteTokens: 3 }],
      [{ completion_tokens_details: { reasoning_tokens: 2 } }, { reasoningTokens: 2 }],
      [{ prompt_tokens_details: null, completion_tokens_details: null }, {}],
    ])('with the details %j', async (details, expected) => {
      expect(await read({ usage: { ...base, ...details } })).toEqual({ ...plain, ...expected });
    });

    it('with reasoning in the output, where a server counts it beside', async () => {
      const details = { completion_tokens_details: { reasoning_tokens: 7 } };
      expect(await read({ usage: { ...base, total_tokens: 22, ...details } })).toEqual({
        inputTokens: 10,
        outputTokens: 12,
        totalTokens: 22,
        reasoningTokens: 7,
      });
    });

    it('as whole numbers, whatever is missing', async () => {
      expect(await read({ usage: { prompt_tokens: 10 } })).toEqual({
        inputTokens: 10,
        outputTokens: 0,
        totalTokens: 10,
      });
      expect(
        await read({ usage: { prompt_tokens: 'x', completion_tokens: null } }),
      ).toBeUndefined();
      expect(await read({ usage: {} })).toBeUndefined();
    });
  });
});
