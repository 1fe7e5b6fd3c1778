/** Answers of the Responses API, as OpenAI makes them. */
export type Json = Record<string, unknown>;

export const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 17,
};

export const reasoningItem = (id: string, ...summary: string[]): Json => ({
  id,
  type: 'reasoning',
  summary: summary.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: `secret of ${id}`,
});

export const messageItem = (id: string, text: string, more: Json = {}): Json => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  ...more,
});

export const callItem = (id: string, callId: string, name: string, json: string): Json => ({
  id,
  type: 'function_call',
  status: 'completed',
  call_id: callId,
  name,
  arguments: json,
});

export const responseOf = (output: readonly Json[], more: Json = {}): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_796_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'gpt-5',
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage: USAGE,
  ...more,
});

/** The events in which OpenAI streams a response, each text in two pieces. */
export function eventsOf(response: Json): Json[] {
  const output = response.output as Json[];
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: `response.${String(response.status)}`, response },
  ];
  return events.map((event, sequence) => ({ ...event, sequence_number: sequence }));
}

function itemEvents(item: Json, index: number): Json[] {
  const place = { output_index: index, item_id: item.id };
  const opened = { ...item, status: 'in_progress', content: [], summary: [], arguments: '' };
  return [
    { type: 'response.output_item.added', output_index: index, item: opened },
    ...((item.summary ?? []) as { text: string }[]).flatMap(({ text }, part) =>
      textEvents('response.reasoning_summary_text', { ...place, summary_index: part }, text),
    ),
    ...((item.content ?? []) as Json[]).flatMap((part, number) => {
      const at = { ...place, content_index: number };
      const isRefusal = part.type === 'refusal';
      const name = isRefusal
        ? 'refusal'
        : part.type === 'reasoning_text'
          ? 'reasoning_text'
          : 'output_text';
      return [
        { type: 'response.content_part.added', ...at, part: { type: part.type, text: '' } },
        ...textEvents(
          `response.${name}`,
          at,
          String(part.text ?? part.refusal),
          isRefusal ? 'refusal' : 'text',
        ),
        { type: 'response.content_part.done', ...at, part },
      ];
    }),
    ...(item.type === 'function_call'
      ? textEvents('response.function_call_arguments', place, String(item.arguments), 'arguments')
      : []),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function textEvents(name: string, place: Json, text: string, field = 'text'): Json[] {
  const middle = Math.ceil(text.length / 2);
  return [
    { type: `${name}.delta`, ...place, delta: text.slice(0, middle) },
    { type: `${name}.delta`, ...place, delta: text.slice(middle) },
    { type: `${name}.done`, ...place, [field]: text },
  ];
}

export const toSse = (events: readonly Json[]): string =>
  events
    .map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
