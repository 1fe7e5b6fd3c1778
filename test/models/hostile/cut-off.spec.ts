import { describe, expect, it } from '@jest/globals';
import { ChatStreamAssembler, type ChatModel, type ChatResponse } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';

const retry = { maxRetries: 0 };
const sse = (events: readonly unknown[]): string =>
  events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('');

type Make = (fetch: typeof globalThis.fetch) => ChatModel;
const chat: Make = (fetch) => openai({ model: 'm', apiKey: 'k', retry, fetch });
const responses: Make = (fetch) => openaiResponses({ model: 'gpt-5', apiKey: 'k', retry, fetch });
const claude: Make = (fetch) =>
  anthropic({ model: 'claude-sonnet-4-5', apiKey: 'k', retry, fetch });
const google: Make = (fetch) => gemini({ model: 'gemini-2.5-flash', apiKey: 'k', retry, fetch });

async function streamed(
  make: Make,
  events: readonly unknown[],
  type = 'text/event-stream',
): Promise<ChatResponse | Error> {
  const text = type.includes('json') ? JSON.stringify(events[0]) : sse(events);
  const model = make(async () => new Response(text, { headers: { 'content-type': type } }));
  const assembler = new ChatStreamAssembler();
  try {
    for await (const delta of model.stream({ messages: [{ role: 'user', content: 'x' }] }, {}))
      assembler.push(delta);
    return assembler.finish();
  } catch (error) {
    return error as Error;
  }
}

/** What looks like a complete answer. */
const looksWhole = (answer: ChatResponse | Error): string | undefined =>
  answer instanceof Error || !['stop', 'tool-calls'].includes(answer.finishReason)
    ? undefined
    : JSON.stringify(answer);

const piece = (delta: unknown, finish_reason: unknown = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const call = (json: string) =>
  piece({ tool_calls: [{ index: 0, id: 'a', function: { name: 'refund', arguments: json } }] });
const block = (index: number, content_block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const json = (partial_json: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json },
});
const candidate = (text: string, finishReason?: string) => ({
  candidates: [{ content: { parts: [{ text }] }, finishReason }],
});

const CUT: [string, Make, unknown[], string?][] = [
  ['chat: DONE without a finish', chat, [piece({ content: 'a' }), '[DONE]']],
  ['chat: a call, DONE without a finish', chat, [call('{"a":1'), '[DONE]']],
  [
    'chat: a cut call, usage, DONE without a finish',
    chat,
    [
      call('{"amount":1'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
      '[DONE]',
    ],
  ],
  [
    'chat: usage in each piece, DONE without a finish',
    chat,
    [{ ...piece({ content: 'a' }), usage: { prompt_tokens: 1 } }, '[DONE]'],
  ],
  [
    'chat: length, then tool_calls',
    chat,
    [call('{"a":1'), piece({}, 'length'), piece({}, 'tool_calls'), '[DONE]'],
  ],
  [
    'chat: content_filter, then tool_calls',
    chat,
    [call('{}'), piece({}, 'content_filter'), piece({}, 'tool_calls'), '[DONE]'],
  ],
  [
    'chat: error, then tool_calls',
    chat,
    [call('{}'), piece({}, 'error'), piece({}, 'tool_calls'), '[DONE]'],
  ],
  [
    'chat: length, then stop',
    chat,
    [piece({ content: 'a' }, 'length'), piece({}, 'stop'), '[DONE]'],
  ],
  [
    'chat: error in a choice',
    chat,
    [
      piece({ content: 'a' }),
      {
        choices: [
          { index: 0, delta: {}, error: { message: 'boom', code: 502 }, finish_reason: 'stop' },
        ],
      },
      '[DONE]',
    ],
  ],
  [
    'chat: error after the finish',
    chat,
    [piece({ content: 'a' }, 'stop'), { error: { message: 'boom' } }, '[DONE]'],
  ],
  [
    'chat: an error without the word, then DONE',
    chat,
    [piece({ content: 'a' }), { message: 'overloaded', code: 529 }, '[DONE]'],
  ],
  ['chat: errors', chat, [piece({ content: 'a' }), { errors: [{ message: 'x' }] }, '[DONE]']],
  [
    'chat: a type of error',
    chat,
    [piece({ content: 'a' }), { type: 'error', message: 'x' }, '[DONE]'],
  ],
  ['chat: a list of errors', chat, [piece({ content: 'a' }), [{ error: { message: 'x' } }]]],
  ['chat: half an event', chat, [piece({ content: 'a' }), '{"choices":[{"delta":{"content":"b"}']],
  ['chat: upper case LENGTH', chat, [piece({ content: 'a' }, 'LENGTH'), '[DONE]']],
  [
    'responses: no last event',
    responses,
    [{ type: 'response.output_text.delta', output_index: 0, delta: 'a' }, '[DONE]'],
  ],
  [
    'responses: completed with the status failed',
    responses,
    [
      {
        type: 'response.completed',
        response: { status: 'failed', error: { message: 'boom' }, output: [] },
      },
    ],
  ],
  [
    'responses: completed with the status cancelled',
    responses,
    [
      { type: 'response.output_text.delta', output_index: 0, delta: 'a' },
      { type: 'response.completed', response: { status: 'cancelled', output: [] } },
    ],
  ],
  [
    'responses: completed with the status in_progress',
    responses,
    [{ type: 'response.completed', response: { status: 'in_progress', output: [] } }],
  ],
  [
    'responses: completed with an incomplete call',
    responses,
    [
      {
        type: 'response.completed',
        response: {
          status: 'completed',
          output: [
            {
              type: 'function_call',
              status: 'incomplete',
              call_id: 'a',
              name: 'refund',
              arguments: '',
            },
          ],
        },
      },
    ],
  ],
  [
    'responses: a call without its arguments',
    responses,
    [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: {
          type: 'function_call',
          call_id: 'a',
          name: 'refund',
          status: 'in_progress',
          arguments: '',
        },
      },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ],
  ],
  [
    'responses: JSON with an unknown status',
    responses,
    [{ object: 'response', status: 'expired', output: [] }],
    'application/json',
  ],
  [
    'messages: stop without a reason while a call is open',
    claude,
    [
      { type: 'message_start', message: {} },
      block(0, { type: 'tool_use', id: 'a', name: 'refund', input: {} }),
      { type: 'message_stop' },
    ],
  ],
  [
    'messages: pieces of arguments behind the end of their block',
    claude,
    [
      block(0, { type: 'tool_use', id: 'a', name: 'refund', input: {} }),
      { type: 'content_block_stop', index: 0 },
      json('{"amount":5}'),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
  ],
  [
    'messages: max_tokens, then end_turn',
    claude,
    [
      block(0, { type: 'text', text: 'a' }),
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ],
  ],
  [
    'messages: an error without an event name',
    claude,
    [
      block(0, { type: 'text', text: 'a' }),
      { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      { type: 'message_stop' },
    ],
  ],
  [
    'messages: an error whose text is beside its type',
    claude,
    [
      block(0, { type: 'text', text: 'a' }),
      { type: 'error', message: 'x' },
      { type: 'message_stop' },
    ],
  ],
  ['gemini: no reason', google, [candidate('a')]],
  ['gemini: SAFETY, then STOP', google, [candidate('a', 'SAFETY'), candidate('', 'STOP')]],
  [
    'gemini: STOP, then blocked',
    google,
    [candidate('a', 'STOP'), { promptFeedback: { blockReason: 'SAFETY' } }],
  ],
  [
    'gemini: blocked beside an answer',
    google,
    [{ ...candidate('a', 'STOP'), promptFeedback: { blockReason: 'SAFETY' } }],
  ],
  [
    'gemini: a JSON list with an error in the second place',
    google,
    [[candidate('a', 'STOP'), { error: { code: 500, message: 'boom' } }]],
    'application/json',
  ],
  ['gemini: a JSON list that is cut', google, [[candidate('a')]], 'application/json'],
];

describe('an answer that is not whole does not look like one', () => {
  it.each(CUT.map(([name, ...rest]) => ({ name, rest })))(
    '$name',
    async ({ rest: [make, events, type] }) => {
      expect(looksWhole(await streamed(make, events, type))).toBeUndefined();
    },
  );
});

describe('what comes behind the finish is not part of an answer', () => {
  it('of the Messages API', async () => {
    const answer = await streamed(claude, [
      block(0, { type: 'text', text: 'a' }),
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
      block(1, { type: 'tool_use', id: 'a', name: 'refund', input: {} }),
    ]);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'a' }], finishReason: 'stop' });
  });
  it('of the Responses API', async () => {
    const answer = await streamed(responses, [
      {
        type: 'response.completed',
        response: {
          status: 'completed',
          output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }],
        },
      },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'function_call', call_id: 'a', name: 'x', arguments: '{}' },
      },
    ]);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'a' }], finishReason: 'stop' });
  });
});
