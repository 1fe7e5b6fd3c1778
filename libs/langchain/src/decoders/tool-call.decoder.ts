import type { ChatDelta } from 'nestjs-agent-tools';
import { fieldsOf, listOf, textIn, toPlain, type Fields } from '../values.js';

type ToolCallDelta = Extract<ChatDelta, { type: 'tool-call' }>;

/** The calls of a message, or the pieces of calls of a chunk of one. */
export function decodeToolCalls(message: Fields, metadataKey: string): ToolCallDelta[] {
  const pieces = listOf(message.tool_call_chunks);
  return pieces.length > 0
    ? pieces.map((piece) => decodePiece(fieldsOf(piece), metadataKey))
    : decodeWhole(message, metadataKey);
}

function decodePiece(piece: Fields, metadataKey: string): ToolCallDelta {
  const { id, name, args, index, type: _type, ...extras } = piece;
  return {
    type: 'tool-call',
    ...(typeof index === 'number' && { index }),
    id: textIn(id),
    name: textIn(name),
    arguments: textIn(args),
    ...extrasOf(extras, metadataKey),
  };
}

/**
 * LangChain sorts whole calls into those whose arguments it can parse and those it cannot. The raw text, if
 * the message has it somewhere, is what the model wrote: parsing loses digits of long numbers.
 */
function decodeWhole(message: Fields, metadataKey: string): ToolCallDelta[] {
  const valid = listOf(message.tool_calls);
  const invalid = listOf(message.invalid_tool_calls);
  if (valid.length === 0 && invalid.length === 0) return [];
  const raw = rawArguments(message);
  const calls = [...valid, ...invalid].map((call): ToolCallDelta => {
    const { id, name, args, index: _index, type: _type, error: _error, ...extras } = fieldsOf(call);
    const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    return {
      type: 'tool-call',
      id: textIn(id),
      // A call without a name would vanish, and the model not learn that it was wrong.
      name: textIn(name) ?? 'unknown_tool',
      arguments: (typeof id === 'string' && raw.get(id)) || text,
      ...extrasOf(extras, metadataKey),
    };
  });
  if (valid.length === 0 || invalid.length === 0) return calls;
  const order = new Map([...raw.keys()].map((id, position) => [id, position]));
  const positionOf = ({ id = '' }: ToolCallDelta): number => order.get(id) ?? order.size;
  return calls.toSorted((one, other) => positionOf(one) - positionOf(other));
}

/** As OpenAI's packages keep it, by the ids of the calls and in their order. */
function rawArguments(message: Fields): Map<string, string> {
  const raw = new Map<string, string>();
  for (const call of listOf(fieldsOf(message.additional_kwargs).tool_calls).map(fieldsOf)) {
    keep(call.id, fieldsOf(call.function).arguments);
  }
  for (const item of listOf(fieldsOf(message.response_metadata).output).map(fieldsOf)) {
    if (item.type === 'function_call') keep(item.call_id, item.arguments);
  }
  return raw;

  function keep(id: unknown, json: unknown): void {
    if (typeof id === 'string' && typeof json === 'string' && !raw.has(id)) raw.set(id, json);
  }
}

function extrasOf(extras: Fields, metadataKey: string): Pick<ToolCallDelta, 'providerMetadata'> {
  const given = Object.entries(extras).filter(([, value]) => value !== undefined && value !== null);
  const call = given.length > 0 ? toPlain(Object.fromEntries(given)) : undefined;
  return call ? { providerMetadata: { [metadataKey]: { call } } } : {};
}
