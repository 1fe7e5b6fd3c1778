// A recorded answer of the Responses API, read as simply as can be and without the library.
const STOPPED = { max_output_tokens: 'length', content_filter: 'content-filter' };

/**
 * `{ text, reasoning, calls, finish, usage }` of a body: JSON as an object, or the text of an event
 * stream. `{ error }` if it is one, or was cut off.
 */
export function readAnswer(body) {
  return typeof body === 'string' ? readStream(body) : readResponse(body, body.output ?? []);
}

function readStream(text) {
  const events = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && line.slice(5).trim() !== '[DONE]')
    .map((line) => JSON.parse(line.slice(5)));
  const failed = events.find(({ type, error }) => type === 'error' || error);
  if (failed) return { error: failed.error?.message ?? failed.message ?? '' };
  const last = events.findLast(({ type }) =>
    /^response\.(completed|incomplete|failed|cancelled)$/.test(type),
  );
  if (!last) return { error: '' };
  return readResponse(last.response, toOutput(events));
}

/** The items as the pieces of text and arguments make them. */
function toOutput(events) {
  const output = [];
  const add = (index, list, place, text) => {
    const texts = (output[index][list] ??= []);
    texts[place] = { ...texts[place], text: (texts[place]?.text ?? '') + text };
  };
  for (const { type, item, output_index: index, delta, ...event } of events) {
    if (type === 'response.output_item.added') {
      const { type: kind, call_id, name } = item;
      output[index] = { type: kind, call_id, name, arguments: '' };
    } else if (type === 'response.output_text.delta' || type === 'response.reasoning_text.delta') {
      add(index, 'content', event.content_index, delta);
    } else if (type === 'response.refusal.delta') {
      add(index, 'content', event.content_index, delta);
      output[index].content[event.content_index].type = 'refusal';
    } else if (type === 'response.reasoning_summary_text.delta') {
      add(index, 'summary', event.summary_index, delta);
    } else if (type === 'response.function_call_arguments.delta') output[index].arguments += delta;
  }
  return output;
}

function readResponse({ status, error, incomplete_details: incomplete, usage }, output) {
  if (error || !/^(completed|incomplete)$/.test(status)) return { error: error?.message ?? '' };
  const items = (type) => output.filter((item) => item.type === type);
  const parts = items('message').flatMap(({ content }) => content ?? []);
  const calls = items('function_call').map(({ call_id: id, name, arguments: json }) => ({
    id,
    name,
    arguments: json || '{}',
  }));
  const refused = parts.some(({ type }) => type === 'refusal');
  const ended = refused ? 'content-filter' : calls.length > 0 ? 'tool-calls' : 'stop';
  return {
    text: parts.map(({ text, refusal }) => text ?? refusal).join(''),
    reasoning: items('reasoning')
      .map(({ summary = [], content }) => [...summary, ...(content ?? [])])
      .map((texts) => texts.map(({ text }) => text).join('\n\n'))
      .join(''),
    calls,
    finish: status === 'incomplete' ? (STOPPED[incomplete?.reason] ?? 'other') : ended,
    usage: usage && [
      usage.input_tokens,
      usage.output_tokens,
      usage.total_tokens,
      usage.input_tokens_details?.cached_tokens ?? 'none',
      usage.output_tokens_details?.reasoning_tokens ?? 'none',
    ],
  };
}
