// A recorded answer of Chat Completions, read as simply as can be and without the library.
const FINISH = {
  stop: 'stop',
  tool_calls: 'tool-calls',
  length: 'length',
  content_filter: 'content-filter',
};

/**
 * `{ text, reasoning, calls, finish, usage }` of a body: JSON as an object, or the text of an event
 * stream. `{ error }` if it is one, or was cut off.
 */
export function readAnswer(body) {
  return typeof body === 'string' ? readStream(body) : readCompletion(body);
}

function readCompletion({ choices, usage, x_groq: groq, error }) {
  if (error) return { error: error.message ?? error };
  const choice = choices.find(({ message }) => message.tool_calls?.length > 0) ?? choices[0];
  const { message, finish_reason: finish } = choice;
  return expected([message], finish ? [finish] : [], usage ?? groq?.usage, true);
}

function readStream(text) {
  const data = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim());
  const chunks = data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line));
  const failed = chunks.find((chunk) => chunk.error);
  if (failed) return { error: failed.error.message ?? failed.error };
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const usages = chunks.map((chunk) => chunk.usage ?? chunk.x_groq?.usage).filter(Boolean);
  const last = chunks.at(-1);
  return expected(
    choices.map(({ delta }) => delta),
    choices.map((choice) => choice.finish_reason).filter(Boolean),
    usages.at(-1),
    // A server that gives no reason at all must at least have come to its end.
    data.at(-1) === '[DONE]' && last?.choices?.length === 0 && Boolean(last.usage),
  );
}

function expected(messages, finishes, usage, complete) {
  let text = '';
  let reasoning = '';
  const calls = [];
  for (const message of messages.filter(Boolean)) {
    reasoning += message.reasoning_content || message.reasoning || message.reasoning_text || '';
    for (const part of [message.content ?? ''].flat()) {
      if (typeof part === 'string') text += part;
      else if (part.type === 'text') text += part.text;
      else if (part.type === 'thinking') reasoning += part.thinking.map((one) => one.text).join('');
    }
    text += message.refusal || '';
    for (const { id, index, function: called } of message.tool_calls ?? []) {
      let call = id
        ? calls.find((one) => one.id === id)
        : calls.findLast((one) => one.index === index);
      if (!call) calls.push((call = { id, index, name: '', arguments: '' }));
      call.name ||= called?.name ?? '';
      call.arguments += called?.arguments ?? '';
    }
  }
  const derived = calls.length > 0 ? 'tool_calls' : 'stop';
  const finish = finishes.at(-1) ?? (complete ? derived : undefined);
  if (!finish) return { error: '' };
  const refused = messages.some((message) => message?.refusal);
  return {
    text,
    reasoning,
    calls: calls.map(({ id, name, arguments: json }) => ({ id, name, arguments: json || '{}' })),
    finish: refused ? 'content-filter' : (FINISH[finish] ?? 'other'),
    usage: usage && readUsage(usage),
  };
}

function readUsage(usage) {
  const cached =
    usage.prompt_tokens_details?.cached_tokens ??
    usage.prompt_cache_hit_tokens ??
    usage.num_cached_tokens ??
    usage.cached_tokens;
  return [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens].concat(
    cached ?? 'none',
    usage.completion_tokens_details?.reasoning_tokens ?? 'none',
  );
}
