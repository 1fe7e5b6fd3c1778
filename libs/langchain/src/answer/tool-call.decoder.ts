import type { ChatDelta } from 'nestjs-agent-tools';
import { fieldsOf, listOf, textIn, toPlain, type Fields } from '../values.js';
import { RawCalls, type RawArguments } from './raw-arguments.js';

type ToolCallDelta = Extract<ChatDelta, { type: 'tool-call' }>;

/**
 * The calls of a message, or the pieces of calls of a chunk of one.
 *
 * @param firstIndex Of the whole calls; those with one id are told apart by it.
 */
export function decodeToolCalls(
  message: Fields,
  metadataKey: string,
  firstIndex: number,
): ToolCallDelta[] {
  const pieces = listOf(message.tool_call_chunks);
  return pieces.length > 0
    ? pieces.map((piece) => decodePiece(fieldsOf(piece), metadataKey))
    : decodeWhole(message, metadataKey).map((call, at) => ({ ...call, index: firstIndex + at }));
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
  const valid = listOf(message.tool_calls).map(fieldsOf);
  const invalid = listOf(message.invalid_tool_calls).map(fieldsOf);
  if (valid.length === 0 && invalid.length === 0) return [];
  const raw = new RawCalls(message);
  const calls = [
    ...valid.map((call) => decodeCall(call, raw.takeValid(call), metadataKey)),
    ...invalid.map((call) => decodeCall(call, raw.takeInvalid(call), metadataKey)),
  ];
  // The sort is stable: those of which nothing is known stay as they are, behind.
  return calls.toSorted((one, other) => one.position - other.position).map(({ delta }) => delta);
}

function decodeCall(
  call: Fields,
  raw: RawArguments | undefined,
  metadataKey: string,
): { readonly delta: ToolCallDelta; readonly position: number } {
  const { id, name, args, index: _index, type: _type, error: _error, ...extras } = call;
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  const delta: ToolCallDelta = {
    type: 'tool-call',
    id: textIn(id),
    // A call without a name would vanish, and the model not learn that it was wrong.
    name: textIn(name) ?? 'unknown_tool',
    arguments: raw?.text || text,
    ...extrasOf(extras, metadataKey),
  };
  return { delta, position: raw?.position ?? Number.MAX_SAFE_INTEGER };
}

function extrasOf(extras: Fields, metadataKey: string): Pick<ToolCallDelta, 'providerMetadata'> {
  const given = Object.entries(extras).filter(([, value]) => value !== undefined && value !== null);
  const call = given.length > 0 ? toPlain(Object.fromEntries(given)) : undefined;
  return call ? { providerMetadata: { [metadataKey]: { call } } } : {};
}
