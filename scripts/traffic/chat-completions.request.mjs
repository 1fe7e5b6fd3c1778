// The body of a recorded request of Chat Completions as a request of the library, for checking that
// the encoder makes the same of it.
import { differences, without } from './compare.mjs';

/** In what a recorded body may differ from the one that the library makes of it. */
export const DIFFERENCES = [
  {
    what: '`stream: false`, and fields that are null',
    why: 'the same as fields that are not there',
  },
  {
    what: '`max_tokens` and `max_completion_tokens`',
    why: 'the library sends the one that the profile names; the servers asked here take both',
  },
  {
    what: 'a content of several texts, with cache marks or without',
    why: 'the library joins texts of systems, assistants and tools, and has no cache marks',
  },
  {
    what: 'an empty content, a null one and none at all beside calls',
    why: 'the library sends the one of them that the server is known to take',
  },
  {
    what: 'reasoning in messages without calls, and of servers that are not known to need it',
    why: 'the library sends it back only with the calls that it led to',
  },
  { what: '`prefix: false` and `name` of messages', why: 'they say nothing to the model' },
  { what: '`type` of tools and of a chosen one', why: 'the library always sends it' },
  { what: 'a tool without description', why: 'the library always sends one, if an empty one' },
  {
    what: 'ids of calls for Mistral that are not nine letters and digits',
    why: 'it refuses others, so the library makes such ids of them',
  },
  {
    what: '`strict` of tools that the dialect of the profile does not know',
    why: 'the library sends it only to servers that keep it',
  },
  {
    what: 'the form of input schemas',
    why: 'the library puts what a server does not take into the descriptions; only names of properties are compared',
  },
  {
    what: '`stream_options`',
    why: 'the library asks each stream for its usage, but those of Mistral, which always send it',
  },
  {
    what: 'an empty list of tools, and the choice `auto`',
    why: 'the same as none; the library leaves the choice out where the server leaves it out of account',
  },
  { what: 'an empty reasoning', why: 'the same as none; DeepSeek wants the field' },
];

const PROFILES = { 'openai-chat': 'openai' };
const FIELDS = {
  temperature: 'temperature',
  top_p: 'topP',
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  stop: 'stop',
  seed: 'seed',
  random_seed: 'seed',
  parallel_tool_calls: 'parallelToolCalls',
};
const KNOWN = ['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice'];
const REASONING = ['reasoning', 'reasoning_content'];

/** @param provider the name of the folder: `'openai-chat'`, `'groq'` … */
export function readRequest(body, provider) {
  const options = { model: body.model, stream: body.stream ?? false };
  if (provider === 'snowflake') options.baseURL = 'https://account.snowflakecomputing.com/v1';
  else options.profile = PROFILES[provider] ?? provider;
  const more = {};
  for (const [key, value] of Object.entries(without(body, ...KNOWN))) {
    if (FIELDS[key]) options[FIELDS[key]] = value;
    else if (key === 'response_format') options.responseFormat = readFormat(value);
    else if (key === 'reasoning_effort' && !body.thinking) options.reasoningEffort = value;
    else more[key] = value;
  }
  const { tools = [], tool_choice: choice } = body;
  const request = { messages: readMessages(body.messages) };
  const functions = tools.filter((tool) => tool.function);
  if (functions.length < tools.length) Object.assign(more, without({ tools, tool_choice: choice }));
  if (functions.length > 0) {
    request.tools = functions.map(({ function: { name, description, parameters, strict } }) => ({
      name,
      description: description ?? '',
      inputSchema: parameters,
      ...((strict ?? undefined) !== undefined && { strict }),
    }));
    request.toolChoice =
      typeof choice === 'object' && choice ? { tool: choice.function.name } : readChoice(choice);
  }
  if (Object.keys(more).length > 0) options.body = more;
  return { request, options };
}

function readChoice(choice) {
  return choice === 'any' ? 'required' : (choice ?? undefined);
}

function readFormat({ type, json_schema: schema }) {
  return type === 'json_schema'
    ? { type: 'json', ...schema }
    : { type: type.replace(/_object$/, '') };
}

function readMessages(list) {
  const messages = [];
  const names = new Map();
  for (const wire of list) {
    const message = readMessage(wire, names);
    const last = messages.at(-1);
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content);
    else messages.push(message);
  }
  return messages;
}

function readMessage({ role, content, tool_call_id: callId, tool_calls: calls, ...wire }, names) {
  if (role === 'tool') {
    const result = {
      type: 'tool-result',
      callId,
      name: names.get(callId) ?? '',
      status: 'success',
    };
    return { role, content: [{ ...result, content: readContent(content) }] };
  }
  if (role === 'system' || role === 'developer')
    return { role: 'system', content: joined(content) };
  if (role === 'user') return { role, content: readContent(content) };
  const reasoning = REASONING.map((field) => wire[field]).find((one) => typeof one === 'string');
  const text = joined(content);
  return {
    role,
    content: [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning }]),
      ...(text ? [{ type: 'text', text }] : []),
      ...(calls ?? []).map(({ id, function: called }) => {
        names.set(id, called.name);
        return { type: 'tool-call', id, name: called.name, arguments: called.arguments };
      }),
    ],
  };
}

function readContent(content) {
  if (!Array.isArray(content)) return content ?? '';
  return content.map(({ type, text, image_url: image }) =>
    type === 'image_url' ? { type: 'image', url: image.url ?? image } : { type: 'text', text },
  );
}

function joined(content, separator = '') {
  if (!Array.isArray(content)) return content ?? '';
  return content.map(({ text }) => text).join(separator);
}

/** What differs between a recorded body and one that the library made, but for DIFFERENCES. */
export function sameAs(recorded, encoded) {
  return differences(normalize(recorded), normalize(encoded));
}

function normalize(body) {
  const { messages, tools = [], tool_choice: choice, stream, stream_options: _, ...rest } = body;
  const { max_tokens: tokens, max_completion_tokens: limit = tokens, ...fields } = rest;
  const ids = new Map();
  return {
    ...without(fields),
    ...(limit !== undefined && { limit }),
    ...(stream && { stream }),
    ...(choice &&
      choice !== 'auto' && {
        tool_choice: typeof choice === 'object' ? { ...choice, type: 'function' } : choice,
      }),
    ...(tools?.length > 0 && { tools: tools.map(normalizeTool) }),
    messages: messages.map((message) => normalizeMessage(message, ids)),
  };
}

function normalizeTool(tool) {
  if (!tool.function) return tool;
  const { name, description, parameters } = tool.function;
  return { name, description: description ?? '', fields: Object.keys(parameters.properties ?? {}) };
}

function normalizeMessage(message, ids) {
  const { role, content, tool_calls: calls, ...rest } = without(message, 'prefix', 'name');
  const isUser = role === 'user';
  const parts = Array.isArray(content)
    ? content.map((part) => without(part, 'cache_control'))
    : content;
  const texts = isUser ? parts : joined(parts, role === 'tool' ? '\n' : '');
  const idOf = (id) => (ids.has(id) ? ids : ids.set(id, ids.size)).get(id);
  return {
    role,
    content: texts || '',
    ...(calls && { calls: calls.map(({ id, function: called }) => ({ ...called, id: idOf(id) })) }),
    ...(rest.tool_call_id && { call: idOf(rest.tool_call_id) }),
    ...(calls && without({ reasoning: rest.reasoning || rest.reasoning_content || null })),
  };
}
