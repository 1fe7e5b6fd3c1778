import type { ServerResponse } from 'node:http';
import { ChatStreamAssembler, type ChatDelta, type ChatResponse } from 'nestjs-agent-tools';
import { startEvents } from '../../models/test-server.js';

export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

type Block = Readonly<Record<string, unknown>>;

export const USAGE = { input_tokens: 10, output_tokens: 5 };

/** A complete answer. */
export function message(content: readonly Block[], more: Block = {}) {
  const isCall = content.some(({ type }) => type === 'tool_use');
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content,
    stop_reason: isCall ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
    ...more,
  };
}

/** The same answer as the events of a stream, its texts in pieces of three characters. */
export function events(content: readonly Block[], more: Block = {}): WireEvent[] {
  const {
    stop_reason: reason,
    usage,
    container,
    ...whole
  } = { container: null, ...message(content, more) };
  const start = { ...usage, output_tokens: 1 };
  return [
    {
      type: 'message_start',
      message: { ...whole, content: [], stop_reason: null, usage: start },
    },
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null, ...(container !== null && { container }) },
      usage,
    },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Block, index: number): WireEvent[] {
  const { type, text, thinking, signature, input, citations } = block;
  const delta = (fields: Block): WireEvent => ({
    type: 'content_block_delta',
    index,
    delta: fields,
  });
  const start = (fields: Block): WireEvent => ({
    type: 'content_block_start',
    index,
    content_block: { ...block, ...fields },
  });
  const stop: WireEvent = { type: 'content_block_stop', index };
  if (type === 'text') {
    return [
      start({ text: '', ...(citations !== undefined && { citations: [] }) }),
      ...pieces(text).map((piece) => delta({ type: 'text_delta', text: piece })),
      ...((citations ?? []) as unknown[]).map((citation) =>
        delta({ type: 'citations_delta', citation }),
      ),
      stop,
    ];
  }
  if (type === 'thinking') {
    return [
      start({ thinking: '', signature: '' }),
      ...pieces(thinking).map((piece) => delta({ type: 'thinking_delta', thinking: piece })),
      ...(signature ? [delta({ type: 'signature_delta', signature })] : []),
      stop,
    ];
  }
  if (input === undefined) return [start({}), stop];
  return [
    start({ input: {} }),
    delta({ type: 'input_json_delta', partial_json: '' }),
    ...pieces(JSON.stringify(input)).map((json) =>
      delta({ type: 'input_json_delta', partial_json: json }),
    ),
    stop,
  ];
}

function pieces(text: unknown): string[] {
  return String(text).match(/.{1,3}/gs) ?? [];
}

export function toSse(list: readonly WireEvent[]): string {
  return list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

export function sendEvents(response: ServerResponse, list: readonly WireEvent[]): void {
  startEvents(response);
  response.end(toSse(list));
}

export function assemble(deltas: Iterable<ChatDelta>): ChatResponse {
  const assembler = new ChatStreamAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish();
}
