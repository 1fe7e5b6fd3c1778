// The body of a recorded request to the Responses API as a request of the library, for checking that
// the encoder makes the same of it.
import { differences, without } from './compare.mjs';

/** In what a recorded body may differ from the one that the library makes of it. */
export const DIFFERENCES = [
  { what: '`instructions`', why: 'the library sends system messages, as the first items here' },
  {
    what: '`store` that is left out',
    why: 'the library always says it; left out it is true, and the profiles that keep nothing have none',
  },
  {
    what: '`reasoning.encrypted_content` in `include`',
    why: 'the library asks for it with each model that reasons',
  },
  {
    what: '`stream: false`, and fields that are null',
    why: 'the same as fields that are not there',
  },
  { what: 'annotations and `status` of items', why: 'they say nothing to the model' },
  {
    what: 'assistant messages with an id of a turn that lacks some of its items',
    why: 'the library then sends no ids: the server would miss the rest',
  },
  { what: 'a tool without description', why: 'the library always sends one, if an empty one' },
  {
    what: '`strict` of tools of DeepSeek',
    why: 'the library sends it as true only to servers that are known to keep to it',
  },
  {
    what: 'the order within a turn with calls, for DeepSeek',
    why: 'it refuses other items between two calls, so the library sends calls last',
  },
];

const FIELDS = {
  temperature: 'temperature',
  top_p: 'topP',
  max_output_tokens: 'maxTokens',
  parallel_tool_calls: 'parallelToolCalls',
};
const KNOWN = ['model', 'input', 'instructions', 'stream', 'store', 'tools', 'tool_choice'];

/** @param profile of the server that was asked: `'openai'`, `'deepseek'` … */
export function readRequest(body, profile = 'openai') {
  const options = { model: body.model, stream: body.stream ?? false, profile };
  if (profile === 'openai' || profile === 'azure') options.store = body.store ?? true;
  const more = {};
  for (const [key, value] of Object.entries(without(body, ...KNOWN))) {
    if (FIELDS[key]) options[FIELDS[key]] = value;
    else if (key === 'reasoning') {
      options.reasoningEffort = value.effort ?? undefined;
      options.reasoningSummary = value.summary ?? undefined;
    } else if (key === 'text') {
      options.verbosity = value.verbosity ?? undefined;
      options.responseFormat = readFormat(value.format);
    } else more[key] = value;
  }
  const { tools = [], tool_choice: choice } = body;
  const request = { messages: readInput(body, profile) };
  // Tools that the server runs, and fields that only OpenAI has, are given as they are.
  if (!tools.every(isPlain)) Object.assign(more, { tools, tool_choice: choice });
  const functions = tools.filter(({ type }) => type === 'function');
  if (functions.length > 0) {
    request.tools = functions.map(({ name, description, parameters, strict }) => ({
      name,
      description: description ?? '',
      inputSchema: parameters,
      strict: strict ?? true,
    }));
    request.toolChoice = typeof choice === 'object' ? { tool: choice.name } : choice;
  }
  if (Object.keys(more).length > 0) options.body = more;
  return { request, options };
}

function isPlain(tool) {
  const known = ['type', 'name', 'description', 'parameters', 'strict'];
  return tool.type === 'function' && Object.keys(tool).every((key) => known.includes(key));
}

function readFormat(format) {
  if (format?.type !== 'json_schema')
    return format && { type: format.type.replace(/_object$/, '') };
  const { name, description, schema, strict } = format;
  return { type: 'json', name, description, schema, strict };
}

function readInput({ input, instructions }, provider) {
  const messages = instructions ? [{ role: 'system', content: instructions }] : [];
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const names = new Map();
  let turn;
  for (const item of items) {
    const message = readOther(item, names);
    if (message) {
      turn = undefined;
      const last = messages.at(-1);
      if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content);
      else messages.push(message);
      continue;
    }
    if (!turn) messages.push((turn = { role: 'assistant', content: [] }));
    turn.content.push(readPart(item, turn.content.length, provider));
    if (item.type === 'function_call') names.set(item.call_id, item.name);
  }
  return messages;
}

function readOther({ type, role, content, call_id: callId, output }, names) {
  if (type === 'function_call_output') {
    const result = { type: 'tool-result', callId, name: names.get(callId), status: 'success' };
    return { role: 'tool', content: [{ ...result, content: readContent(output) }] };
  }
  if (role === 'system' || role === 'developer') return { role: 'system', content };
  return role === 'user' ? { role, content: readContent(content) } : undefined;
}

function readContent(content) {
  if (typeof content === 'string') return content;
  return content.map(({ type, text, image_url: url }) =>
    type === 'input_image' ? { type: 'image', url } : { type: 'text', text },
  );
}

function readPart(item, index, provider) {
  const { type, id, phase, namespace } = item;
  const providerMetadata = { [provider]: without({ index, id, phase, namespace }) };
  if (type === 'function_call') {
    const { call_id: callId, name, arguments: json } = item;
    return { type: 'tool-call', id: callId, name, arguments: json, providerMetadata };
  }
  if (item.role === 'assistant') {
    const { content } = item;
    const text = typeof content === 'string' ? content : content.map((one) => one.text).join('');
    return { type: 'text', text, providerMetadata };
  }
  return { type: 'reasoning', text: '', providerMetadata: { [provider]: { index, item } } };
}

/** What differs between a recorded body and one that the library made, but for DIFFERENCES. */
export function sameAs(recorded, encoded) {
  const isDeepSeek = recorded.model.startsWith('deepseek');
  return differences(normalize(recorded, isDeepSeek), normalize(encoded, isDeepSeek));
}

function normalize(body, isDeepSeek) {
  const { input, instructions, tools, include, store = true, stream, ...rest } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const system = instructions ? [{ role: 'system', content: instructions }] : [];
  const included = include?.filter((one) => one !== 'reasoning.encrypted_content') ?? [];
  const normal = [...system, ...items].map(normalizeItem);
  return {
    ...without(rest),
    input: isDeepSeek ? sorted(normal) : normal,
    ...(tools && { tools: tools.map((tool) => normalizeTool(tool, isDeepSeek)) }),
    ...(rest.reasoning && { reasoning: without(rest.reasoning) }),
    ...(included.length > 0 && { include: included }),
    ...(stream && { stream }),
    store,
  };
}

function normalizeTool(tool, isDeepSeek) {
  const { description = '', ...rest } = without(tool, ...(isDeepSeek ? ['strict'] : []));
  return { ...rest, description };
}

function normalizeItem(item) {
  const { content, ...rest } = without(item, 'status', 'annotations');
  if (rest.role !== 'assistant') return { ...rest, ...(content && { content }) };
  const text = typeof content === 'string' ? content : content.map((one) => one.text).join('');
  return { ...without(rest, 'type'), content: text };
}

function sorted(items) {
  const result = [];
  let calls = [];
  for (const item of [...items, {}]) {
    if (item.type === 'function_call') calls.push(item);
    else {
      if (item.role !== 'assistant' && item.type !== 'reasoning') {
        result.push(...calls);
        calls = [];
      }
      result.push(item);
    }
  }
  return result.slice(0, -1);
}
