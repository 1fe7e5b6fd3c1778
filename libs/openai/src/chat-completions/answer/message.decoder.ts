import type { ChatDelta } from 'nestjs-agent-tools';
import { isText } from 'nestjs-agent-tools/model-kit';
import type {
  WireContent,
  WireFunction,
  WireMessage,
  WireToolCall,
} from './interfaces/chat-completions.interface.js';
import { writeMetadata } from '../server.metadata.js';

/** The reasoning in a message or a piece of one. Servers that fill two fields repeat themselves. */
export function decodeReasoning(message: WireMessage): string {
  const { reasoning_content: content, reasoning, reasoning_text: text } = message;
  if (isText(content)) return content;
  if (isText(reasoning)) return reasoning;
  if (isText(text)) return text;
  const details = message.reasoning_details;
  if (!Array.isArray(details)) return '';
  return details.map((detail) => detail?.text ?? detail?.summary ?? '').join('');
}

/** The pieces of a content that is a list. */
export function* decodeContent(
  content: readonly (WireContent | string | null)[],
): Iterable<ChatDelta> {
  for (const item of content) {
    if (isText(item)) yield { type: 'text', text: item };
    else if (typeof item !== 'object') continue;
    else if (isText(item?.text)) yield { type: 'text', text: item.text };
    else if (item?.thinking) yield { type: 'reasoning', text: toThinking(item.thinking) };
  }
}

/** The calls in a message or a piece of one. @param key under what their metadata are kept */
export function* decodeCalls(message: WireMessage, key: string): Iterable<ChatDelta> {
  const calls = message.tool_calls;
  if (Array.isArray(calls) && calls.length > 0) {
    const given = (calls as readonly (WireToolCall | null)[]).filter((call) => call !== null);
    for (const call of given) {
      const delta = toCall(call, key);
      // Whole calls of a server that gives each the same index.
      const isShared =
        given.length > 1 &&
        isText(call.function?.name) &&
        !isText(call.id) &&
        sharesIndex(call, given);
      yield isShared ? { ...delta, index: undefined } : delta;
    }
    return;
  }
  const legacy = message.function_call;
  // Some servers send an empty one with every message.
  if (legacy?.name || legacy?.arguments) yield toCall({ index: 0, function: legacy }, key);
}

function sharesIndex({ index }: WireToolCall, calls: readonly WireToolCall[]): boolean {
  return calls.filter((call) => call.index === index && isText(call.function?.name)).length > 1;
}

function toCall(
  { index, id, function: called, extra_content: extra }: WireToolCall,
  key: string,
): Extract<ChatDelta, { type: 'tool-call' }> {
  return {
    type: 'tool-call',
    index: typeof index === 'number' ? index : undefined,
    id: isText(id) ? id : undefined,
    name: isText(called?.name) ? called.name : undefined,
    arguments: toArguments(called),
    ...(extra !== undefined && { providerMetadata: writeMetadata(key, { extra_content: extra }) }),
  };
}

function toArguments(called: WireFunction | null | undefined): string | undefined {
  const json = called?.arguments ?? undefined;
  return json === undefined || typeof json === 'string' ? json : JSON.stringify(json);
}

function toThinking(thinking: NonNullable<WireContent['thinking']>): string {
  if (typeof thinking === 'string') return thinking;
  if (!Array.isArray(thinking)) return '';
  return (thinking as readonly (WireContent | null)[])
    .map((part) => (isText(part?.text) ? part.text : ''))
    .join('');
}
