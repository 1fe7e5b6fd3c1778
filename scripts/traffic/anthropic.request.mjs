// Recorded bodies of Anthropic's Messages API, read back into what an application asks the library for;
// encoded again, they must say the same.
import { isDeepStrictEqual } from 'node:util';

/** In what a body of the library differs from one that another client sent, and why. */
export const DIFFERENCES = [
  { what: '`stream: false` is left out', why: "it is Anthropic's default" },
  {
    what: 'a content or system that is one text is sent as a list of blocks, or the other way',
    why: 'both say the same',
  },
  { what: '`is_error: false` is left out', why: "it is Anthropic's default" },
  {
    what: 'neighbouring messages of one role are one message',
    why: 'Anthropic joins them, and older models refuse them',
  },
  {
    what: 'in a message of the user tool results come first, in one of the model its calls last',
    why: 'Anthropic refuses another order',
  },
  { what: '`caller: { type: "direct" }` of a call is not sent back', why: 'it says nothing' },
  {
    what: 'an input schema without properties gets `properties: {}`',
    why: 'gateways refuse it without',
  },
  { what: 'an empty description of a tool is the same as none', why: 'neither says anything' },
];

const OF_TOOL = new Set(['name', 'description', 'input_schema', 'strict', 'type']);

/**
 * The request and the options for `toAnthropicBody()`. What has no place in a request, such as
 * `defer_loading` of a tool, goes into `options.body`.
 */
export function readRequest(body) {
  const {
    model,
    messages,
    system,
    tools,
    tool_choice: choice,
    max_tokens: maxTokens,
    temperature,
    top_p: topP,
    stop_sequences: stop,
    stream,
    thinking,
    output_config: output,
    ...rest
  } = body;
  const marked = Array.isArray(system) && system.at(-1)?.cache_control;
  const settings = {
    model,
    stream: stream ?? false,
    maxTokens,
    temperature,
    topP,
    stop,
    ...readThinking(thinking, output),
    ...(choice?.disable_parallel_tool_use && { parallelToolCalls: false }),
    ...(marked && { cache: { ttl: marked.ttl, tools: false, messages: false } }),
  };
  return {
    request: {
      messages: [...readSystem(system), ...readMessages(messages)],
      ...(choice && { toolChoice: readChoice(choice) }),
      tools: (tools ?? []).filter(isClientTool).map(readTool),
    },
    options: {
      ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
      ...readServerTools(tools ?? [], rest),
    },
  };
}

function readServerTools(tools, rest) {
  const server = tools.filter((tool) => !isClientTool(tool));
  const firstOfServer = tools.findIndex((tool) => !isClientTool(tool));
  const isMixed = firstOfServer >= 0 && tools.slice(firstOfServer).some(isClientTool);
  const isPlain = (tool) => Object.keys(tool).every((field) => OF_TOOL.has(field));
  const hasOwnFields = tools.filter(isClientTool).some((tool) => !isPlain(tool));
  if (isMixed || hasOwnFields) return { body: { ...rest, tools } };
  return { ...(server.length > 0 && { serverTools: server }), body: rest };
}

function isClientTool({ input_schema: schema }) {
  return schema !== undefined;
}

function readTool({ name, description = '', input_schema: inputSchema, strict }) {
  return { name, description, inputSchema, ...(strict !== undefined && { strict }) };
}

function readChoice({ type, name }) {
  if (type === 'tool') return { tool: name };
  return type === 'any' ? 'required' : type;
}

function readThinking(thinking, output) {
  const { effort, format } = output ?? {};
  const budget = { enabled: thinking?.budget_tokens, disabled: 0 }[thinking?.type];
  return {
    reasoningBudget: budget,
    reasoningEffort: effort ?? undefined,
    responseFormat: format ? { type: 'json', schema: format.schema } : undefined,
  };
}

function readSystem(system) {
  return toBlocks(system ?? []).map(({ text }) => ({ role: 'system', content: text }));
}

function readMessages(messages) {
  const names = new Map();
  return messages.flatMap(({ role, content }) => {
    const blocks = toBlocks(content);
    if (role === 'assistant') {
      for (const block of blocks) if (block.type === 'tool_use') names.set(block.id, block.name);
      return [{ role, content: blocks.map(readAssistantBlock) }];
    }
    const results = blocks.filter(({ type }) => type === 'tool_result');
    const others = blocks.filter(({ type }) => type !== 'tool_result');
    return [
      ...(results.length > 0
        ? [{ role: 'tool', content: results.map((result) => readResult(result, names)) }]
        : []),
      ...(others.length > 0 ? [{ role, content: others.map(readPart) }] : []),
    ];
  });
}

function readAssistantBlock(block) {
  const { type, text, thinking, signature, data, citations, id, name, input, caller } = block;
  switch (type) {
    case 'text':
      return { type, text, ...(citations && withMetadata({ citations })) };
    case 'thinking':
      return { type: 'reasoning', text: thinking, ...withMetadata({ signature }) };
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', ...withMetadata({ redactedData: data }) };
    case 'tool_use':
      return {
        type: 'tool-call',
        id,
        name,
        arguments: JSON.stringify(input),
        ...(caller && caller.type !== 'direct' && withMetadata({ caller })),
      };
    default:
      return { type: 'reasoning', text: '', ...withMetadata({ block }) };
  }
}

function readResult({ tool_use_id: callId, is_error: isError, content = '' }, names) {
  return {
    type: 'tool-result',
    callId,
    name: names.get(callId) ?? 'unknown',
    status: isError ? 'error' : 'success',
    content: typeof content === 'string' ? content : content.map(readPart),
  };
}

function readPart(block) {
  const { type, text, source, ...others } = block;
  if (Object.keys(others).length === 0) {
    if (type === 'text') return { type, text };
    if (type === 'image' && source.type === 'url') return { type, url: source.url };
    if (type === 'image' && source.type === 'base64') {
      return { type, url: `data:${source.media_type};base64,${source.data}` };
    }
  }
  return { type: 'text', text: '', ...withMetadata({ block }) };
}

function withMetadata(metadata) {
  return { providerMetadata: { anthropic: metadata } };
}

/** What the two bodies say differently, as paths; nothing beyond `DIFFERENCES` is left out of account. */
export function sameAs(recorded, encoded) {
  return [...compare(normalise(recorded), normalise(JSON.parse(JSON.stringify(encoded))), '')];
}

function* compare(one, other, path) {
  if (isDeepStrictEqual(one, other)) return;
  const isObject = (value) => typeof value === 'object' && value !== null;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    yield `${path || '/'}: ${JSON.stringify(one)} became ${JSON.stringify(other)}`;
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    yield* compare(one[key], other[key], `${path}/${key}`);
  }
}

function normalise({ stream, system, messages, tools, ...rest }) {
  const turns = [];
  for (const { role, content } of messages) {
    const blocks = toBlocks(content).map(normaliseBlock);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: blocks });
  }
  return {
    ...rest,
    ...(stream && { stream }),
    ...(system !== undefined && { system: normaliseSystem(toBlocks(system)) }),
    messages: turns.map(inOrder),
    ...(tools && { tools: tools.map(normaliseTool) }),
  };
}

function normaliseSystem(blocks) {
  const isMarked = blocks.some((block) => block.cache_control);
  return isMarked ? blocks : blocks.map(({ text }) => text).join('\n\n');
}

function normaliseBlock({ is_error: isError, caller, ...block }) {
  return {
    ...block,
    ...(isError && { is_error: true }),
    ...(caller && caller.type !== 'direct' && { caller }),
    ...(block.type === 'tool_result' && { content: toBlocks(block.content ?? []) }),
  };
}

function inOrder({ role, content }) {
  const isFirst = (block) =>
    role === 'user' ? block.type === 'tool_result' : block.type !== 'tool_use';
  return {
    role,
    content: [...content.filter(isFirst), ...content.filter((block) => !isFirst(block))],
  };
}

function normaliseTool({ description, input_schema: schema, ...tool }) {
  const needsProperties = schema?.type === 'object' && !schema.properties;
  return {
    ...tool,
    ...(description && { description }),
    ...(schema && { input_schema: needsProperties ? { ...schema, properties: {} } : schema }),
  };
}

function toBlocks(content) {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
