import type { ChatModel } from 'nestjs-agent-tools';
import { anthropic } from 'nestjs-agent-tools/anthropic';
import { gemini } from 'nestjs-agent-tools/gemini';
import { openai, openaiResponses } from 'nestjs-agent-tools/openai';
import type { ChunkModelFactory } from 'nestjs-agent-tools/testing';

/** A call as a server writes it: its arguments in the pieces in which they come. */
export interface WireCall {
  readonly name: string;
  readonly id?: string | null;
  readonly json?: readonly (string | null)[];
}

export interface Wire {
  readonly factory: ChunkModelFactory;
  /** The chunks of an answer: its texts, then its calls, then its end. */
  readonly chunks: (texts: readonly string[], calls?: readonly WireCall[]) => object[];
}

const chatCompletions: Wire['chunks'] = (texts, calls = []) => [
  ...texts.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
  ...calls.flatMap(({ name, id, json = ['{}'] }, index) =>
    json.map((text, piece) => {
      const head = piece === 0 ? { id, type: 'function' } : {};
      const call = { ...(piece === 0 && { name }), arguments: text };
      return { choices: [{ delta: { tool_calls: [{ index, ...head, function: call }] } }] };
    }),
  ),
  { choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }] },
];

const responses: Wire['chunks'] = (texts, calls = []) => {
  const message = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    content: [{ type: 'output_text', text: texts.join(''), annotations: [] }],
  };
  const items = calls.map(({ name, id, json = ['{}'] }, index) => ({
    type: 'function_call',
    id: `fc_${index}`,
    call_id: id,
    name,
    arguments: json.includes(null) ? null : json.join(''),
  }));
  const from = texts.length > 0 ? 1 : 0;
  return [
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    ...(from === 0
      ? []
      : [
          {
            type: 'response.output_item.added',
            output_index: 0,
            item: { ...message, content: [] },
          },
          ...texts.map((delta) => ({
            type: 'response.output_text.delta',
            output_index: 0,
            item_id: 'm',
            content_index: 0,
            delta,
          })),
          { type: 'response.output_item.done', output_index: 0, item: message },
        ]),
    ...items.flatMap((item, index) => {
      const place = { output_index: from + index, item_id: item.id };
      const { json = ['{}'] } = calls[index];
      return [
        {
          type: 'response.output_item.added',
          output_index: from + index,
          item: { ...item, arguments: '' },
        },
        ...json
          .filter((delta) => delta !== null)
          .map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
        {
          type: 'response.function_call_arguments.done',
          ...place,
          arguments: item.arguments,
        },
        { type: 'response.output_item.done', output_index: from + index, item },
      ];
    }),
    {
      type: 'response.completed',
      response: { status: 'completed', output: [...(from === 0 ? [] : [message]), ...items] },
    },
  ];
};

const messages: Wire['chunks'] = (texts, calls = []) => {
  const from = texts.length > 0 ? 1 : 0;
  const block = (index: number, content: object, deltas: object[]) => [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  return [
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    ...(from === 0
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          texts.map((text) => ({ type: 'text_delta', text })),
        )),
    ...calls.flatMap(({ name, id, json = ['{}'] }, index) =>
      block(
        from + index,
        { type: 'tool_use', id, name, input: json.includes(null) ? null : {} },
        json
          .filter((text) => text !== null)
          .map((text) => ({ type: 'input_json_delta', partial_json: text })),
      ),
    ),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: 2 },
    },
    { type: 'message_stop' },
  ];
};

const generateContent: Wire['chunks'] = (texts, calls = []) => [
  ...texts.map((text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })),
  ...calls.map(({ name, id, json = ['{}'] }) => {
    const text = json.join('');
    const args = json.includes(null) ? null : text === '' ? undefined : JSON.parse(text);
    const functionCall = { name, ...(id !== undefined && { id }), args };
    return { candidates: [{ content: { role: 'model', parts: [{ functionCall }] } }] };
  }),
  { candidates: [{ content: { role: 'model', parts: [] }, finishReason: 'STOP' }] },
];

/** The protocols, each with what its servers stream. */
export const WIRES: readonly (readonly [string, Wire])[] = [
  ['openai', { factory: openai, chunks: chatCompletions }],
  ['openaiResponses', { factory: openaiResponses, chunks: responses }],
  ['anthropic', { factory: anthropic, chunks: messages }],
  ['gemini', { factory: gemini, chunks: generateContent }],
];

/** A model whose server plays one list of chunks for each request, and what it was asked. */
export function serving(
  factory: ChunkModelFactory,
  ...answers: readonly (readonly object[])[]
): { model: ChatModel; bodies: unknown[] } {
  const bodies: unknown[] = [];
  const model = factory({
    model: 'served',
    apiKey: 'test-key',
    retry: { maxRetries: 0 },
    fetch: async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      const answer = answers[bodies.length - 1] ?? [];
      return new Response(answer.map(encodeEvent).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      });
    },
  });
  return { model, bodies };
}

/** One event of a stream. */
export function encodeEvent(chunk: object): string {
  const type = (chunk as { type?: string }).type;
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(chunk)}\n\n`;
}
