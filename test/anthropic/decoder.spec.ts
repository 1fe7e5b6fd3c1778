import { describe, expect, it } from '@jest/globals';
import { ChatStreamAssembler, ChatStreamException } from 'nestjs-agent-tools';
import { decodeAnthropicMessage, toAnthropicBody } from 'nestjs-agent-tools/anthropic';
import { failure } from '../models/test-server.js';
import { answer, decode, read, replay, REQUEST } from './support/replay.js';
import { events, message, toSse, type WireEvent } from './support/streams.js';

const THINKING = { type: 'thinking', thinking: 'Let me see.', signature: 'sig-1' };
const REDACTED = { type: 'redacted_thinking', data: 'c2VjcmV0' };
const TEXT = { type: 'text', text: 'Grüße aus 東京 🗼' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'find', input: { city: '東京' } };
const SEARCH = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'x' },
};
const FOUND = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url: 'https://example.com', encrypted_content: 'e' }],
};
const CITED = {
  type: 'text',
  text: 'It is so.',
  citations: [
    { type: 'web_search_result_location', url: 'https://example.com', encrypted_index: 'i' },
    { type: 'web_search_result_location', url: 'https://example.org', encrypted_index: 'j' },
  ],
};
const MCP = [
  { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'ask', server_name: 'wiki', input: { q: 'x' } },
  {
    type: 'mcp_tool_result',
    tool_use_id: 'mcptoolu_1',
    is_error: false,
    content: [{ type: 'text', text: 'y' }],
  },
];

describe('a streamed answer is the same as a whole one', () => {
  it.each([
    ['text', [TEXT]],
    ['nothing at all', []],
    ['thinking and a call', [THINKING, REDACTED, TEXT, CALL]],
    ['two calls', [CALL, { ...CALL, id: 'toolu_2', input: {} }]],
    [
      'neighbouring blocks of one type',
      [THINKING, { ...THINKING, signature: 'sig-2' }, TEXT, TEXT],
    ],
    ['a search of the web', [TEXT, SEARCH, FOUND, CITED, TEXT]],
    ['a tool of an MCP server', [...MCP, TEXT]],
  ])('with %s', async (_name, content) => {
    const body = message(content);
    const whole = decodeAnthropicMessage(body);
    expect(await answer(events(content))).toEqual(whole);
    expect(await replay([body]).model.generate(REQUEST, {})).toEqual(whole);
    // A server may answer with JSON though it was asked for a stream.
    expect(await read(replay([body]).model)).toEqual(whole);
  });

  it('wherever the bytes are cut', async () => {
    const content = [THINKING, TEXT, SEARCH, FOUND, CITED, CALL];
    const bytes = new TextEncoder().encode(toSse(events(content)));
    for (const size of [1, 7, 64]) {
      let offset = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (offset >= bytes.length) controller.close();
          else controller.enqueue(bytes.subarray(offset, (offset += size)));
        },
      });
      const headers = { 'content-type': 'text/event-stream' };
      const { model } = replay([], { fetch: async () => new Response(body, { headers }) });
      expect(await read(model)).toEqual(decodeAnthropicMessage(message(content)));
    }
  });

  it('and goes back as it came', async () => {
    const content = [THINKING, REDACTED, TEXT, SEARCH, FOUND, CITED, ...MCP, CALL];
    const { content: parts } = await answer(events(content));
    const messages = [...REQUEST.messages, { role: 'assistant', content: parts } as const];
    const body = toAnthropicBody({ messages }, { model: 'claude-opus-4-6' });
    expect((body.messages as { content: object[] }[])[1]?.content).toEqual(content);
  });
});

describe('blocks', () => {
  it('become parts, each with its own metadata', async () => {
    const { content } = await answer(
      events([THINKING, { ...THINKING, signature: 'sig-2' }, REDACTED, TEXT, CALL]),
    );
    expect(content).toEqual([
      {
        type: 'reasoning',
        text: 'Let me see.',
        providerMetadata: { anthropic: { signature: 'sig-1' } },
      },
      {
        type: 'reasoning',
        text: 'Let me see.',
        providerMetadata: { anthropic: { signature: 'sig-2' } },
      },
      {
        type: 'reasoning',
        text: '',
        providerMetadata: { anthropic: { redactedData: 'c2VjcmV0' } },
      },
      { type: 'text', text: TEXT.text },
      { type: 'tool-call', id: 'toolu_1', name: 'find', arguments: '{"city":"東京"}' },
    ]);
  });

  it('of Anthropic’s own tools are no calls of ours', async () => {
    const { content, finishReason } = await answer(events([SEARCH, FOUND, CITED]));
    expect(content.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'text']);
    expect(content[0]).toEqual({
      type: 'reasoning',
      text: '',
      providerMetadata: { anthropic: { block: SEARCH } },
    });
    expect(finishReason).toBe('stop');
  });

  it('give their text at once, though there are tools (fault 12)', async () => {
    const deltas = await decode(events([TEXT, CALL]));
    const texts = deltas.filter((delta) => delta.type === 'text');
    expect(texts.length).toBeGreaterThan(3);
    expect(deltas.findIndex(({ type }) => type === 'text')).toBeLessThan(
      deltas.findIndex(({ type }) => type === 'tool-call'),
    );
  });

  it('give arguments piece by piece, final only at the end (fault 9)', async () => {
    const list = events([{ ...CALL, input: { n: 123 } }]);
    const pieces = (await decode(list)).flatMap((delta) =>
      delta.type === 'tool-call' && delta.arguments ? [delta.arguments] : [],
    );
    expect(pieces).toEqual(['{"n', '":1', '23}']);
  });

  it.each([
    ['a call of no arguments, in any form (fault 13)', {}, '{}'],
    ['an input that is all at the begin', { a: 1 }, '{"a":1}'],
    ['no input at all', undefined, '{}'],
    ['`null` as input (fault 18)', null, '{}'],
    ['an input as text', '{"a":1}', '{"a":1}'],
  ])('take %s', async (_name, input, expected) => {
    const start = { type: 'content_block_start', index: 0, content_block: { ...CALL, input } };
    const stop = { type: 'content_block_stop', index: 0 };
    for (const blocks of [[start, stop], [start]]) {
      const [first, ...rest] = events([]);
      const list = [first, ...blocks, ...rest].filter((event) => event !== undefined);
      expect((await answer(list)).content).toEqual([
        { type: 'tool-call', id: 'toolu_1', name: 'find', arguments: expected },
      ]);
    }
  });

  it('with one id twice are two calls, the second with an id of its own (fault 39)', async () => {
    const { content } = await answer(events([CALL, CALL]));
    expect(content).toHaveLength(2);
    const ids = content.map((part) => (part.type === 'tool-call' ? part.id : ''));
    expect(ids[0]).toBe('toolu_1');
    expect(new Set(ids).size).toBe(2);
  });

  it('without an id get one (fault 37)', async () => {
    const { content } = await answer(
      events([
        { ...CALL, id: '' },
        { ...CALL, id: null },
      ]),
    );
    const ids = content.map((part) => (part.type === 'tool-call' ? part.id : ''));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every(Boolean)).toBe(true);
  });

  it('called by code of the model keep by what', async () => {
    const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' };
    const { content } = await answer(events([{ ...CALL, caller }]));
    expect(content[0]?.providerMetadata).toEqual({ anthropic: { caller } });
    const direct = await answer(events([{ ...CALL, caller: { type: 'direct' } }]));
    expect(direct.content[0]).not.toHaveProperty('providerMetadata');
  });
});

describe('what is not known', () => {
  const unknown: readonly WireEvent[] = [
    { type: 'content_block_start', index: 0, content_block: { type: 'hologram', data: 'x' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', data: 'y' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_delta', index: 9, delta: { type: 'hologram_delta' } },
    { type: 'content_block_delta', index: 0, delta: null },
    { type: 'content_block_start', index: 1, content_block: 'text' },
    { type: 'content_block_start', index: 1, content_block: {} },
    { type: 'content_block_stop', index: 7 },
    { type: 'message_start', message: null },
    { type: 'message_delta', delta: null, usage: null },
    { type: 'hologram' },
  ];

  it('is left out', async () => {
    const list = events([{ type: 'text', text: 'Hi' }]);
    const { content, finishReason } = await answer([
      ...list.slice(0, 2),
      ...unknown,
      ...list.slice(2),
    ]);
    expect(content).toEqual([{ type: 'text', text: 'Hi' }]);
    expect(finishReason).toBe('stop');
  });

  it('is kept if it is a whole block', async () => {
    const block = { type: 'hologram', data: 'x' };
    const { content } = await answer(events([block, TEXT]));
    expect(content[0]?.providerMetadata).toEqual({ anthropic: { block } });
  });

  it('does not stop a piece whose begin is missing', async () => {
    const list = events([]);
    const late: WireEvent[] = [
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi' } },
    ];
    const { content } = await answer([...list.slice(0, 1), ...late, ...list.slice(1)]);
    expect(content.map((part) => (part.type === 'tool-call' ? 'call' : part.text))).toEqual([
      'Hm.',
      'x',
      'Hi',
    ]);
  });

  it.each([[null], ['x'], [[]], [{}], [{ content: null }], [{ content: 'Hi' }]])(
    'is no answer: %j',
    (body) => {
      expect(() => decodeAnthropicMessage(body)).toThrow("speaks Anthropic's Messages API");
    },
  );

  it('is an error that names the protocol', async () => {
    const error = await failure(replay([{ choices: [] }]).model.generate(REQUEST, {}));
    expect(error.message).toContain("Anthropic's Messages API");
  });
});

describe('the reason to stop', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
    ['constructor', 'other'],
  ])('%s is %s', async (reason, expected) => {
    const more = { stop_reason: reason };
    expect((await answer(events([TEXT], more))).finishReason).toBe(expected);
    expect(decodeAnthropicMessage(message([TEXT], more)).finishReason).toBe(expected);
  });

  it.each([[null], [''], [7], [undefined]])(
    'may be missing (%j) in an answer that is whole',
    async (reason) => {
      const more = { stop_reason: reason };
      expect((await answer(events([TEXT], more))).finishReason).toBe('stop');
      expect(decodeAnthropicMessage(message([CALL], more)).finishReason).toBe('tool-calls');
    },
  );

  it('comes once, with nothing after it', async () => {
    const deltas = await decode([...events([TEXT]), ...events([TEXT])]);
    expect(deltas.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(deltas.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
  });

  it('is enough if the server closes its stream after it', async () => {
    const list = events([TEXT, CALL]).filter(({ type }) => type !== 'message_stop');
    expect((await answer(list)).finishReason).toBe('tool-calls');
  });
});

describe('a stream that is cut off (fault 78)', () => {
  it('is an error wherever it is cut, with the text up to there', async () => {
    const text = toSse(events([THINKING, TEXT, CALL]));
    const end = text.indexOf('event: message_delta');
    for (let cut = 0; cut < end; cut += 53) {
      const assembler = new ChatStreamAssembler();
      const reading = async () => {
        for await (const delta of replay([text.slice(0, cut)]).model.stream(REQUEST, {})) {
          assembler.push(delta);
        }
        assembler.finish();
      };
      expect(await failure(reading())).toMatchObject({ retryable: true });
      const texts = assembler.partial().map((part) => (part.type === 'text' ? part.text : ''));
      expect(TEXT.text.startsWith(texts.join(''))).toBe(true);
    }
  });

  it('keeps the text, and no half of a call', async () => {
    const list = events([TEXT, CALL]);
    const error = await failure<ChatStreamException>(answer(list.slice(0, -4)));
    expect(error).toBeInstanceOf(ChatStreamException);
    expect(error.partial).toEqual([{ type: 'text', text: TEXT.text }]);
  });
});

describe('the usage', () => {
  const usageOf = async (start: object, ...later: (object | null)[]) => {
    const list: WireEvent[] = [
      { type: 'message_start', message: { ...message([]), usage: start } },
      ...later.map((usage) => ({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage,
      })),
      { type: 'message_stop' },
    ];
    return (await answer(list)).usage;
  };

  it('is of the whole each time, so that a later one replaces it (fault 91)', async () => {
    expect(
      await usageOf(
        { input_tokens: 27, output_tokens: 1 },
        { input_tokens: 27, output_tokens: 47 },
      ),
    ).toEqual({
      inputTokens: 27,
      outputTokens: 47,
      totalTokens: 74,
    });
  });

  it('may become smaller', async () => {
    const usage = await usageOf(
      { input_tokens: 50, output_tokens: 9 },
      { input_tokens: 40, output_tokens: 8 },
    );
    expect(usage).toMatchObject({ inputTokens: 40, outputTokens: 8 });
  });

  it('keeps what a later event does not say', async () => {
    const start = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
    };
    expect(await usageOf(start, { output_tokens: 5, input_tokens: null }, null)).toEqual({
      inputTokens: 130,
      outputTokens: 5,
      totalTokens: 135,
      cacheReadTokens: 100,
      cacheWriteTokens: 20,
    });
  });

  it('has what was read from the cache, or written to it, in its input (fault 92)', () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 30 },
    };
    expect(decodeAnthropicMessage(message([TEXT], { usage })).usage).toEqual({
      inputTokens: 130,
      outputTokens: 50,
      totalTokens: 180,
      cacheReadTokens: 100,
      cacheWriteTokens: 20,
      reasoningTokens: 30,
    });
  });

  it.each([[null], [{}], ['many'], [{ input_tokens: '10', output_tokens: -1 }]])(
    'is left out if it says nothing: %j',
    (usage) => {
      expect(decodeAnthropicMessage(message([TEXT], { usage }))).not.toHaveProperty('usage');
    },
  );
});

describe('where code of the model ran', () => {
  const container = { id: 'container_1', expires_at: '2026-01-01T00:00:00Z' };
  const serverTools = [{ type: 'code_execution_20260120', name: 'code_execution' }];

  it('is kept, and told with the next request', async () => {
    const streamed = await answer(events([TEXT], { container }));
    expect(streamed).toEqual(decodeAnthropicMessage(message([TEXT], { container })));
    const messages = [
      ...REQUEST.messages,
      { role: 'assistant', content: streamed.content } as const,
    ];
    const body = toAnthropicBody({ messages }, { model: 'claude-opus-4-6', serverTools });
    expect(body.container).toBe('container_1');
    expect((body.messages as object[])[1]).toEqual({ role: 'assistant', content: [TEXT] });
  });

  it('is not told to a request without a tool that runs code', async () => {
    const { content } = decodeAnthropicMessage(message([TEXT], { container }));
    const messages = [...REQUEST.messages, { role: 'assistant', content } as const];
    expect(toAnthropicBody({ messages }, { model: 'claude-opus-4-6' })).not.toHaveProperty(
      'container',
    );
  });
});
