import { inPieces, toEvent, type Wire, type WireAnswer } from './wire.js';

const usageOf = ({ inputTokens = 5, outputTokens = 7 }: WireAnswer) => ({
  input_tokens: inputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: outputTokens,
});

const stopOf = ({ calls = [] }: WireAnswer) => (calls.length > 0 ? 'tool_use' : 'end_turn');

const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'test-model' };

const SIGNATURE = 'c2lnbmF0dXJl';

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

function blocksOf({ reasoning, text, calls = [] }: WireAnswer): Block[] {
  const blocks: Block[] = [];
  if (reasoning) {
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...inPieces(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: SIGNATURE },
      ],
      whole: { type: 'thinking', thinking: reasoning, signature: SIGNATURE },
    });
  }
  if (text) {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: inPieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
      whole: { type: 'text', text, citations: null },
    });
  }
  for (const { id, name, input } of calls) {
    blocks.push({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: ['', ...inPieces(JSON.stringify(input))].map((partial) => ({
        type: 'input_json_delta',
        partial_json: partial,
      })),
      whole: { type: 'tool_use', id, name, input },
    });
  }
  return blocks;
}

const typed = (data: { readonly type: string }): string => toEvent(data, data.type);

export const MESSAGES_WIRE: Wire = {
  path: /\/messages$/,
  isStream: (_, body) => body.stream === true,
  whole: (answer) => ({
    ...HEAD,
    content: blocksOf(answer).map(({ whole }) => whole),
    stop_reason: stopOf(answer),
    stop_sequence: null,
    usage: usageOf(answer),
  }),
  events: (answer) => [
    typed({
      type: 'message_start',
      message: {
        ...HEAD,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usageOf(answer), output_tokens: 1 },
      },
    } as { type: string }),
    typed({ type: 'ping' }),
    ...blocksOf(answer).flatMap(({ start, deltas }, index) => [
      typed({ type: 'content_block_start', index, content_block: start } as { type: string }),
      ...deltas.map((delta) =>
        typed({ type: 'content_block_delta', index, delta } as { type: string }),
      ),
      typed({ type: 'content_block_stop', index } as { type: string }),
    ]),
    typed({
      type: 'message_delta',
      delta: { stop_reason: stopOf(answer), stop_sequence: null },
      usage: usageOf(answer),
    } as { type: string }),
    typed({ type: 'message_stop' }),
  ],
};
