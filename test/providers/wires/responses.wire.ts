import { inPieces, toEvent, type Wire, type WireAnswer } from './wire.js';

const usageOf = ({ inputTokens = 5, outputTokens = 7 }: WireAnswer) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens + outputTokens,
});

const HEAD = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'test-model',
  error: null,
  incomplete_details: null,
  parallel_tool_calls: true,
  tools: [],
};

interface Item {
  readonly begun: object;
  readonly done: object;
  /** Events between. */
  readonly events: (index: number) => { readonly type: string }[];
}

function itemsOf({ reasoning, text, calls = [] }: WireAnswer): Item[] {
  const items: Item[] = [];
  if (reasoning) {
    const item = { id: 'rs_1', type: 'reasoning', encrypted_content: 'ZW5jcnlwdGVk' };
    const place = { item_id: 'rs_1', summary_index: 0 };
    items.push({
      begun: { ...item, summary: [] },
      done: { ...item, summary: [{ type: 'summary_text', text: reasoning }] },
      events: (index) => [
        {
          type: 'response.reasoning_summary_part.added',
          ...place,
          output_index: index,
          part: { type: 'summary_text', text: '' },
        },
        ...inPieces(reasoning).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...place,
          output_index: index,
          delta,
        })),
        {
          type: 'response.reasoning_summary_text.done',
          ...place,
          output_index: index,
          text: reasoning,
        },
      ],
    });
  }
  if (text) {
    const item = { id: 'msg_1', type: 'message', role: 'assistant' };
    const part = { type: 'output_text', annotations: [], logprobs: [] };
    const place = { item_id: 'msg_1', content_index: 0 };
    items.push({
      begun: { ...item, status: 'in_progress', content: [] },
      done: { ...item, status: 'completed', content: [{ ...part, text }] },
      events: (index) => [
        {
          type: 'response.content_part.added',
          ...place,
          output_index: index,
          part: { ...part, text: '' },
        },
        ...inPieces(text).map((delta) => ({
          type: 'response.output_text.delta',
          ...place,
          output_index: index,
          delta,
          logprobs: [],
        })),
        { type: 'response.output_text.done', ...place, output_index: index, text, logprobs: [] },
        {
          type: 'response.content_part.done',
          ...place,
          output_index: index,
          part: { ...part, text },
        },
      ],
    });
  }
  for (const { id, name, input } of calls) {
    const item = { id: `fc_${id}`, type: 'function_call', call_id: id, name };
    const json = JSON.stringify(input);
    const place = { item_id: item.id };
    items.push({
      begun: { ...item, status: 'in_progress', arguments: '' },
      done: { ...item, status: 'completed', arguments: json },
      events: (index) => [
        ...inPieces(json).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          ...place,
          output_index: index,
          delta,
        })),
        {
          type: 'response.function_call_arguments.done',
          ...place,
          output_index: index,
          name,
          arguments: json,
        },
      ],
    });
  }
  return items;
}

const wholeOf = (answer: WireAnswer): object => ({
  ...HEAD,
  status: 'completed',
  output: itemsOf(answer).map(({ done }) => done),
  usage: usageOf(answer),
});

export const RESPONSES_WIRE: Wire = {
  path: /\/responses$/,
  isStream: (_, body) => body.stream === true,
  whole: wholeOf,
  events: (answer) => {
    const begun = { ...HEAD, status: 'in_progress', output: [], usage: null };
    const events: { readonly type: string }[] = [
      { type: 'response.created', response: begun } as { type: string },
      { type: 'response.in_progress', response: begun } as { type: string },
      ...itemsOf(answer).flatMap((item, index) => [
        { type: 'response.output_item.added', output_index: index, item: item.begun },
        ...item.events(index),
        { type: 'response.output_item.done', output_index: index, item: item.done },
      ]),
      { type: 'response.completed', response: wholeOf(answer) } as { type: string },
    ];
    return events.map((event, number) =>
      toEvent({ ...event, sequence_number: number }, event.type),
    );
  },
};
