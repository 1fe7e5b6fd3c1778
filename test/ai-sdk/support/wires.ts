import type { ServerResponse } from 'node:http';
import { sendJson, startEvents } from '../../models/test-server.js';

/** An answer of a server, as a whole and as the events of a stream. */
export interface WireAnswer {
  readonly whole: object;
  readonly events: readonly object[];
}

/** A protocol of a server, as far as the tests need it. */
export interface Wire {
  readonly path: string;
  text(text: string): WireAnswer;
  call(id: string, name: string, input: object): WireAnswer;
}

export const chat: Wire = {
  path: '/v1/chat/completions',
  text: (text) =>
    chatAnswer(
      { content: text },
      [{ content: text.slice(0, 2) }, { content: text.slice(2) }],
      'stop',
    ),
  call(id, name, input) {
    const json = JSON.stringify(input);
    const part = (values: object) => ({ tool_calls: [{ index: 0, ...values }] });
    const called = { id, type: 'function', function: { name, arguments: json } };
    return chatAnswer(
      { content: null, tool_calls: [called] },
      [
        part({ id, type: 'function', function: { name, arguments: '' } }),
        part({ function: { arguments: json.slice(0, 4) } }),
        part({ function: { arguments: json.slice(4) } }),
      ],
      'tool_calls',
    );
  },
};

function chatAnswer(message: object, deltas: readonly object[], reason: string): WireAnswer {
  const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 4,
    total_tokens: 14,
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 1 },
  };
  const chunk = (delta: object, finish: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  return {
    whole: {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
      usage,
    },
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, reason),
      { ...head, object: 'chat.completion.chunk', choices: [], usage },
    ],
  };
}

export const responses: Wire & { reasonedCall: Wire['call'] } = {
  path: '/v1/responses',
  text: (text) => responsesAnswer([messageItem(text)]),
  call: (id, name, input) => responsesAnswer([callItem(id, name, input)]),
  /** With two parts of a summary: their ends come together, after both. */
  reasonedCall: (id, name, input) =>
    responsesAnswer([
      {
        item: {
          type: 'reasoning',
          id: 'rs_1',
          encrypted_content: 'encrypted',
          summary: ['First.', 'Second.'].map((text) => ({ type: 'summary_text', text })),
        },
        begin: { type: 'reasoning', id: 'rs_1', encrypted_content: null, summary: [] },
        deltas: ['First.', 'Second.'].flatMap((delta, index) => [
          { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: index },
          {
            type: 'response.reasoning_summary_text.delta',
            item_id: 'rs_1',
            summary_index: index,
            delta,
          },
          { type: 'response.reasoning_summary_part.done', item_id: 'rs_1', summary_index: index },
        ]),
      },
      callItem(id, name, input),
    ]),
};

interface OutputItem {
  readonly item: object;
  readonly begin: object;
  readonly deltas: readonly object[];
}

function messageItem(text: string): OutputItem {
  const item = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const deltas = [text.slice(0, 2), text.slice(2)].map((delta) => ({
    type: 'response.output_text.delta',
    item_id: 'msg_1',
    content_index: 0,
    delta,
  }));
  return { item, begin: { ...item, content: [] }, deltas };
}

function callItem(id: string, name: string, input: object): OutputItem {
  const json = JSON.stringify(input);
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: id,
    name,
    arguments: json,
    status: 'completed',
  };
  const deltas = [json.slice(0, 4), json.slice(4)].map((delta) => ({
    type: 'response.function_call_arguments.delta',
    item_id: 'fc_1',
    delta,
  }));
  return { item, begin: { ...item, arguments: '' }, deltas };
}

function responsesAnswer(items: readonly OutputItem[]): WireAnswer {
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', service_tier: null };
  const end = {
    ...head,
    output: items.map(({ item }) => item),
    incomplete_details: null,
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1 },
    },
  };
  return {
    whole: end,
    events: [
      { type: 'response.created', response: head },
      ...items.flatMap(({ item, begin, deltas }, index) => [
        { type: 'response.output_item.added', output_index: index, item: begin },
        ...deltas.map((delta) => ({ ...delta, output_index: index })),
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      { type: 'response.completed', response: end },
    ],
  };
}

export const messages: Wire & { thoughtCall: Wire['call']; searched(text: string): WireAnswer } = {
  path: '/v1/messages',
  text: (text) => messagesAnswer([textBlock(text)], 'end_turn'),
  call: (id, name, input) => messagesAnswer([callBlock('tool_use', id, name, input)], 'tool_use'),
  thoughtCall: (id, name, input) =>
    messagesAnswer(
      [
        {
          block: { type: 'thinking', thinking: 'Let me look.', signature: 'sig-1' },
          begin: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            { type: 'thinking_delta', thinking: 'Let me ' },
            { type: 'thinking_delta', thinking: 'look.' },
            { type: 'signature_delta', signature: 'sig-1' },
          ],
        },
        callBlock('tool_use', id, name, input),
      ],
      'tool_use',
    ),
  searched(text) {
    const page = {
      type: 'web_search_result',
      url: 'https://a.example',
      title: 'A',
      page_age: null,
    };
    const block = {
      type: 'web_search_tool_result',
      tool_use_id: 'srv_1',
      content: [{ ...page, encrypted_content: 'enc' }],
    };
    const search = callBlock('server_tool_use', 'srv_1', 'web_search', { query: 'a' });
    return messagesAnswer(
      [search, { block, begin: block, deltas: [] }, textBlock(text)],
      'end_turn',
    );
  },
};

interface ContentBlock {
  readonly block: object;
  readonly begin: object;
  readonly deltas: readonly object[];
}

function textBlock(text: string): ContentBlock {
  const deltas = [text.slice(0, 2), text.slice(2)].map((piece) => ({
    type: 'text_delta',
    text: piece,
  }));
  return { block: { type: 'text', text }, begin: { type: 'text', text: '' }, deltas };
}

function callBlock(type: string, id: string, name: string, input: object): ContentBlock {
  const json = JSON.stringify(input);
  const deltas = [json.slice(0, 4), json.slice(4)].map((piece) => ({
    type: 'input_json_delta',
    partial_json: piece,
  }));
  return { block: { type, id, name, input }, begin: { type, id, name, input: {} }, deltas };
}

function messagesAnswer(blocks: readonly ContentBlock[], reason: string): WireAnswer {
  const usage = {
    input_tokens: 5,
    output_tokens: 4,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  };
  const head = { type: 'message', id: 'msg_1', role: 'assistant', model: 'm', stop_sequence: null };
  return {
    whole: { ...head, content: blocks.map(({ block }) => block), stop_reason: reason, usage },
    events: [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      ...blocks.flatMap(({ begin, deltas }, index) => [
        { type: 'content_block_start', index, content_block: begin },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  };
}

/** Sends an answer in the way that the request asks for. */
export function answer(
  response: ServerResponse,
  { whole, events }: WireAnswer,
  stream: unknown,
): void {
  if (stream !== true) {
    sendJson(response, 200, whole);
    return;
  }
  sendEvents(response, events);
  response.end();
}

/** Begins a stream and leaves it open. */
export function sendEvents(response: ServerResponse, events: readonly object[]): void {
  startEvents(response);
  for (const event of events) {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
}
