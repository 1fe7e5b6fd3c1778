// A plain reading of a recorded answer of Anthropic's Messages API, which shares no code with the
// library: it is what the library's reading is compared with.

const FINISH = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
};

/**
 * @param body what JSON says, or the text of an event stream
 * @returns { text, reasoning, calls, finish, usage: [input, output, total, cache read, reasoning] }, or
 * { error } if the server sent one, or broke off (then it is empty)
 */
export function readAnswer(body) {
  const message = typeof body === 'string' ? readEvents(body) : body;
  if (message.error) return { error: message.error.message ?? String(message.error) };
  if (!Array.isArray(message.content)) return { error: '' };
  const { content, stop_reason: reason } = message;
  const ofType = (type) => content.filter((block) => block.type === type);
  return {
    text: ofType('text')
      .map((block) => block.text)
      .join(''),
    reasoning: ofType('thinking')
      .map((block) => block.thinking)
      .join(''),
    calls: ofType('tool_use').map(({ id, name, input }) => ({ id, name, arguments: input })),
    finish: FINISH[reason] ?? 'other',
    usage: readUsage(message.usage),
  };
}

/** The message that the events of a stream tell of. */
function readEvents(text) {
  const events = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)));
  const failed = events.find((event) => event.type === 'error');
  if (failed) return failed;
  if (!events.some((event) => event.type === 'message_stop')) return {};
  const message = { content: [], usage: {}, stop_reason: null };
  for (const event of events) {
    const block = message.content[event.index];
    if (event.type === 'message_start') Object.assign(message.usage, event.message.usage);
    if (event.type === 'content_block_start') {
      message.content[event.index] = { ...event.content_block, json: '' };
    }
    if (event.type === 'content_block_delta') {
      const { type, text: more, thinking, partial_json: json } = event.delta;
      if (type === 'text_delta') block.text += more;
      if (type === 'thinking_delta') block.thinking += thinking;
      if (type === 'input_json_delta') block.json += json;
    }
    if (event.type === 'content_block_stop' && block.json) block.input = JSON.parse(block.json);
    if (event.type === 'message_delta') {
      Object.assign(message.usage, event.usage);
      message.stop_reason = event.delta.stop_reason;
    }
  }
  return message;
}

function readUsage(usage) {
  const read = usage.cache_read_input_tokens;
  const input = usage.input_tokens + (read ?? 0) + (usage.cache_creation_input_tokens ?? 0);
  const output = usage.output_tokens;
  const reasoning = usage.output_tokens_details?.thinking_tokens;
  return [input, output, input + output, read ?? 'none', reasoning ?? 'none'];
}
