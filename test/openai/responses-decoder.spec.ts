import { describe, expect, it } from '@jest/globals';
import {
  ChatStreamAssembler,
  type ChatModelException,
  type ChatResponse,
} from 'nestjs-agent-tools';
import { failure } from '../models/test-server.js';
import {
  callItem,
  eventsOf,
  messageItem,
  reasoningItem,
  responseOf,
  toSse,
  type Json,
} from './responses-events.js';
import { decodeResponse, openaiResponses, toResponsesBody } from './responses.exports.js';

const REQUEST = { messages: [{ role: 'user', content: 'Hi' }] } as const;

const modelOf = (body: string | Json, profile: 'openai' | 'deepseek' = 'openai') =>
  openaiResponses({
    model: 'm',
    apiKey: 'k',
    profile,
    retry: { maxRetries: 0 },
    fetch: async () =>
      typeof body === 'string'
        ? new Response(body, { headers: { 'content-type': 'text/event-stream' } })
        : Response.json(body),
  });

async function streamed(
  events: readonly Json[],
  assembler = new ChatStreamAssembler(),
): Promise<ChatResponse> {
  for await (const delta of modelOf(toSse(events)).stream(REQUEST, {})) assembler.push(delta);
  return assembler.finish();
}

const texts = ({ content }: ChatResponse, type: 'text' | 'reasoning'): string[] =>
  content.filter((part) => part.type === type).map((part) => (part as { text: string }).text);

const without = (events: readonly Json[], pattern: RegExp): Json[] =>
  events.filter(({ type }) => !pattern.test(String(type)));

const FULL = responseOf([
  reasoningItem('rs_1', 'First.', 'Then.'),
  messageItem('msg_1', 'Let me look.', { phase: 'commentary' }),
  callItem('fc_1', 'call_1', 'find', '{"no":1}'),
  reasoningItem('rs_2'),
  callItem('fc_2', 'call_2', 'now', ''),
]);
const item = {
  id: 'rs_1',
  type: 'reasoning',
  summary: reasoningItem('', 'First.', 'Then.').summary,
};
const DECODED: ChatResponse = {
  content: [
    {
      type: 'reasoning',
      text: 'First.\n\nThen.',
      providerMetadata: {
        openai: { index: 0, item: { ...item, encrypted_content: 'secret of rs_1' } },
      },
    },
    {
      type: 'text',
      text: 'Let me look.',
      providerMetadata: { openai: { index: 1, id: 'msg_1', phase: 'commentary' } },
    },
    {
      type: 'reasoning',
      text: '',
      providerMetadata: { openai: { index: 3, item: reasoningItem('rs_2') } },
    },
    {
      type: 'tool-call',
      id: 'call_1',
      name: 'find',
      arguments: '{"no":1}',
      providerMetadata: { openai: { index: 2, id: 'fc_1' } },
    },
    {
      type: 'tool-call',
      id: 'call_2',
      name: 'now',
      arguments: '{}',
      providerMetadata: { openai: { index: 4, id: 'fc_2' } },
    },
  ],
  finishReason: 'tool-calls',
  usage: {
    inputTokens: 10,
    outputTokens: 7,
    totalTokens: 17,
    cacheReadTokens: 4,
    cacheWriteTokens: 1,
    reasoningTokens: 3,
  },
};

describe('an answer of the Responses API', () => {
  it('is the same whole and as a stream', async () => {
    expect(decodeResponse(FULL)).toEqual(DECODED);
    expect(await streamed(eventsOf(FULL))).toEqual(DECODED);
    expect(await modelOf(FULL).generate(REQUEST, {})).toEqual(DECODED);
  });

  it.each([
    ['no pieces', /delta$/],
    ['only whole items', /delta$|(text|arguments|part)\.(added|done)$/],
    ['nothing but the last event', /delta$|output_item|done$/],
    ['no beginnings of items', /added$/],
    ['no ends of texts', /(text|arguments|part)\.done$/],
  ])('is the same from a server that sends %s', async (_, pattern) => {
    expect(await streamed(without(eventsOf(FULL), pattern))).toEqual(DECODED);
  });

  it.each([
    ['no ends of items', (events: Json[]) => without(events, /item\.done$/)],
    [
      'the end of an item after the next one',
      (events: Json[]) => {
        const isLate = ({ type, output_index: index }: Json) =>
          index === 0 && String(type).endsWith('done');
        return [
          ...events.slice(0, -1).filter((one) => !isLate(one)),
          ...events.filter(isLate),
          ...events.slice(-1),
        ];
      },
    ],
  ])('is sent back the same if the server sends %s', async (_, change) => {
    const { content, ...rest } = await streamed(change(eventsOf(FULL)));
    expect(rest).toEqual({ finishReason: DECODED.finishReason, usage: DECODED.usage });
    const back = (parts: ChatResponse['content']) =>
      toResponsesBody({ messages: [{ role: 'assistant', content: parts }] }, { model: 'm' }).input;
    expect(back(content)).toEqual(back(DECODED.content));
    expect(back(content)).toHaveLength(5);
  });

  it('is the same if the last event repeats nothing', async () => {
    const events = eventsOf(FULL);
    const bare = events.map((event) =>
      event.type === 'response.completed' ? { ...event, response: { ...FULL, output: [] } } : event,
    );
    expect(await streamed(bare)).toEqual(DECODED);
  });

  it('is the same without indexes of the output', async () => {
    const events = eventsOf(FULL).map((event) => ({ ...event, output_index: undefined }));
    expect(await streamed(events)).toEqual(DECODED);
  });

  it.each([
    [
      'counts the items of a stream from one',
      (events: Json[]) =>
        events.map((event) => {
          const { output_index: index } = event;
          return typeof index === 'number' ? { ...event, output_index: index + 1 } : event;
        }),
    ],
    [
      'repeats the ends of items',
      (events: Json[]) => {
        const ends = events.filter(({ type }) => String(type).endsWith('item.done'));
        return [...events.slice(0, -1), ...ends, ...events.slice(-1)];
      },
    ],
  ])('has nothing twice if the server %s', async (_, change) => {
    const { content } = await streamed(change(eventsOf(FULL)));
    expect(content.map(({ type }) => type)).toEqual(DECODED.content.map(({ type }) => type));
    expect(content).toHaveLength(5);
  });

  it('ends with its last event, whatever comes then', async () => {
    const events = eventsOf(FULL);
    expect(await streamed([...events, ...events])).toEqual(DECODED);
  });

  it('keeps pieces of items apart that come at the same time', async () => {
    const first = messageItem('a', 'one');
    const second = callItem('b', 'c', 'f', '{"x":2}');
    const events = eventsOf(responseOf([first, second]));
    const [created, progress, ...rest] = events;
    const ofItem = (index: number) => rest.filter((event) => event.output_index === index);
    const mixed = ofItem(0).flatMap((event, place) => [
      event,
      ...ofItem(1).slice(place, place + 1),
    ]);
    const response = await streamed([created, progress, ...mixed, rest.at(-1) as Json]);
    expect(texts(response, 'text')).toEqual(['one']);
    expect(response.content).toContainEqual(
      expect.objectContaining({ id: 'c', arguments: '{"x":2}' }),
    );
  });

  it('reads reasoning that is told as text', async () => {
    const content = [{ type: 'reasoning_text', text: 'Hm.' }];
    const thought = { id: 'r', type: 'reasoning', summary: [], content, status: 'completed' };
    const response = responseOf([thought, messageItem('m', 'Yes.')]);
    const { status: _status, ...kept } = thought;
    const decoded = decodeResponse(response, 'x', 'deepseek');
    expect(decoded.content[0]).toEqual({
      type: 'reasoning',
      text: 'Hm.',
      providerMetadata: { deepseek: { index: 0, item: kept } },
    });
    expect((await streamed(eventsOf(response))).content[0]).toMatchObject({ text: 'Hm.' });
  });

  it('joins the parts of a message as they are', () => {
    const content = [
      { type: 'output_text', text: 'a' },
      { type: 'output_text', text: 'b' },
    ];
    expect(texts(decodeResponse(responseOf([messageItem('m', '', { content })])), 'text')).toEqual([
      'ab',
    ]);
  });

  it('takes a refusal as its text, but not as an answer', async () => {
    const content = [{ type: 'refusal', refusal: 'I cannot.' }];
    const response = responseOf([messageItem('m', '', { content })]);
    for (const decoded of [decodeResponse(response), await streamed(eventsOf(response))]) {
      expect(decoded).toMatchObject({
        content: [{ type: 'text', text: 'I cannot.' }],
        finishReason: 'content-filter',
      });
      // Sent back it is a text, so not the item of that id.
      expect(decoded.content[0]?.providerMetadata).toEqual({ openai: { index: 0 } });
    }
  });

  it.each([
    'web_search_call',
    'code_interpreter_call',
    'file_search_call',
    'image_generation_call',
    'mcp_call',
    'computer_call',
    'custom_tool_call',
    'something_new',
  ])('keeps a %s, but does not call it', async (type) => {
    const search = { id: 'x', type, status: 'completed', name: 'f', call_id: 'c', arguments: '{}' };
    const response = responseOf([search, messageItem('m', 'Found.')]);
    for (const decoded of [decodeResponse(response), await streamed(eventsOf(response))]) {
      expect(decoded).toMatchObject({
        content: [
          { type: 'reasoning', text: '', providerMetadata: { openai: { index: 0, item: search } } },
          { type: 'text', text: 'Found.' },
        ],
        finishReason: 'stop',
      });
    }
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['something', 'other'],
  ])('ends incomplete for %s with %s', async (reason, finishReason) => {
    const response = responseOf([callItem('f', 'c', 'find', '{"no":')], {
      status: 'incomplete',
      incomplete_details: { reason },
    });
    expect(decodeResponse(response)).toMatchObject({ finishReason });
    expect(await streamed(eventsOf(response))).toMatchObject({ finishReason });
  });

  it.each([
    { type: null },
    { type: 'response.output_text.delta', output_index: 0, delta: null },
    { type: 'response.output_text.delta', output_index: 0, delta: { text: 'x' } },
    { type: 'response.output_item.added', output_index: 9, item: null },
    { type: 'response.output_item.done', output_index: 9, item: 'x' },
    { type: 'response.content_part.done', output_index: 0, part: { type: 'audio' } },
    { type: 'response.something.new', output_index: 0, delta: 'x' },
    { type: 'keepalive' },
  ] as Json[])('leaves %j out of account', async (event) => {
    const [first, ...rest] = eventsOf(FULL);
    expect(await streamed([first, event, ...rest])).toEqual(DECODED);
  });

  it.each([
    { output: [null, 'x', 7, { type: null }, { type: 'message', content: [null, 3] }] },
    {
      output: [
        { type: 'function_call', name: '', call_id: 'c' },
        { type: 'reasoning', summary: 'x' },
      ],
    },
    { output: null, usage: { input_tokens: 'many' } },
    { output: {}, usage: 7 },
  ])('makes nothing up from %j', (more) => {
    const { content, finishReason } = decodeResponse(responseOf([], more));
    expect(content.filter((part) => part.type !== 'reasoning')).toEqual([]);
    expect(finishReason).toBe('stop');
  });

  it('takes arguments that are an object', () => {
    const call = { ...callItem('f', 'c', 'find', ''), arguments: { no: 1 } };
    expect(decodeResponse(responseOf([call])).content[0]).toMatchObject({ arguments: '{"no":1}' });
  });

  it('counts what is there', () => {
    const usage = { input_tokens: 3, output_tokens: 2, input_tokens_details: null };
    expect(decodeResponse(responseOf([], { usage })).usage).toEqual({
      inputTokens: 3,
      outputTokens: 2,
      totalTokens: 5,
    });
    expect(decodeResponse(responseOf([], { usage: null }))).not.toHaveProperty('usage');
  });
});

describe('an answer that is none', () => {
  it('fails with what the server says, after the pieces before it', async () => {
    const error = { code: 'server_error', message: 'The model broke.' };
    const failed = responseOf([], { status: 'failed', error });
    const events = eventsOf(FULL).slice(0, -1);
    const assembler = new ChatStreamAssembler();
    const thrown = await failure<ChatModelException>(
      streamed([...events, { type: 'response.failed', response: failed }], assembler),
    );
    expect(thrown).toMatchObject({ code: 'server_error', retryable: true, provider: 'openai' });
    expect(thrown.message).toContain('The model broke.');
    expect(assembler.partial()).toHaveLength(3);
    expect(await failure(modelOf(failed).generate(REQUEST, {}))).toMatchObject({
      code: 'server_error',
    });
    expect(() => decodeResponse(failed, 'Mine')).toThrow(
      'Mine sent an error in its answer (server_error): The model broke.',
    );
  });

  it.each([
    { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null },
    { type: 'error', error: { code: 'rate_limit_exceeded', message: 'Slow down.' } },
  ])('fails at the event %j, named or not', async (event) => {
    const [first] = eventsOf(FULL);
    for (const body of [toSse([first, event]), `data: ${JSON.stringify(event)}\n\n`]) {
      const stream = modelOf(body).stream(REQUEST, {});
      const error = await failure<ChatModelException>(
        (async () => {
          for await (const _ of stream);
        })(),
      );
      expect(error).toMatchObject({ code: 'rate_limit_exceeded', retryable: true });
      expect(error.message).toContain('Slow down.');
    }
  });

  it('fails if it was cancelled', async () => {
    const cancelled = responseOf([], { status: 'cancelled' });
    expect(() => decodeResponse(cancelled)).toThrow(/cancelled/);
    const error = await failure(streamed([{ type: 'response.cancelled', response: cancelled }]));
    expect(error.message).toContain('the answer was cancelled.');
  });

  it.each(['queued', 'in_progress'])('does not wait for one that is %s', async (status) => {
    const error = await failure(modelOf(responseOf([], { status })).generate(REQUEST, {}));
    expect(error.message).toMatch(/in the background.*Leave `background` out of `body`\./);
  });

  it.each([{}, { choices: [] }, { message: 'hello' }, [], null])('is not read from %j', (body) => {
    expect(() => decodeResponse(body, 'Mine')).toThrow(/^Mine sent JSON that is no answer/);
  });

  it('is a stream that breaks off anywhere, and keeps the text so far', async () => {
    const sse = toSse(eventsOf(FULL));
    const last = sse.indexOf('event: response.completed');
    for (let end = 1; end < last; end += 37) {
      const assembler = new ChatStreamAssembler();
      const error = await failure(
        (async () => {
          for await (const delta of modelOf(sse.slice(0, end)).stream(REQUEST, {}))
            assembler.push(delta);
          assembler.finish();
        })(),
      );
      expect(error.name).toMatch(/^Chat(Stream|Model)Exception$/);
      for (const part of assembler.partial()) {
        expect(
          ['First.\n\nThen.', 'Let me look.', ''].some((text) =>
            text.startsWith((part as { text: string }).text),
          ),
        ).toBe(true);
      }
    }
  });

  it('is a stream that ends with [DONE] but without its last event', async () => {
    const sse = toSse(eventsOf(FULL).slice(0, -1));
    const assembler = new ChatStreamAssembler();
    for await (const delta of modelOf(`${sse}data: [DONE]\n\n`).stream(REQUEST, {}))
      assembler.push(delta);
    expect(() => assembler.finish()).toThrow(/finish/);
  });
});

it('decodes pieces in linear time', async () => {
  const delta = {
    type: 'response.output_text.delta',
    output_index: 0,
    content_index: 0,
    delta: 'x',
  };
  const time = async (count: number): Promise<number> => {
    const sse =
      toSse([delta]).repeat(count) + toSse([{ type: 'response.completed', response: {} }]);
    const start = performance.now();
    let pieces = 0;
    for await (const _ of modelOf(sse).stream(REQUEST, {})) pieces++;
    expect(pieces).toBe(count + 1);
    return performance.now() - start;
  };
  await time(20_000);
  const small = await time(4_000);
  // Quadratic work would take 100 times as long.
  expect(await time(40_000)).toBeLessThan(35 * Math.max(small, 5));
});
