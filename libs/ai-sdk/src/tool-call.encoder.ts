import type { ToolCallPart } from 'nestjs-agent-tools';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { SdkPart } from './interfaces/sdk-call.interface.js';
import { isRecord } from './is-record.js';
import { optionsOf } from './part-metadata.js';

const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;
/**
 * In V2 this one sends only the id of a call whose item it knows. A server that has not kept the item then
 * finds no call for the result; later versions send the call itself.
 */
const REFERS = /^(?:openai|azure)[\w-]*\.responses$/;

/** A call of the history in a form that every provider takes, whatever the model wrote. */
export function encodeToolCall(call: ToolCallPart, encoding: PromptEncoding): SdkPart {
  const { specification, provider } = encoding;
  const options = optionsOf(call, provider);
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: encodeName(call.name, encoding),
    input: toInput(call.arguments),
    ...(specification === 'v2' && REFERS.test(provider) ? {} : options),
  };
}

/** A name that the model made up makes each later request fail, if the server checks names. */
export function encodeName(name: string, { toolNames }: PromptEncoding): string {
  if (VALID_NAME.test(name) || toolNames.has(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unknown_tool';
}

/** Arguments that are no JSON object are shown to the model within one: many servers need an object. */
function toInput(json: string): unknown {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) return value;
  } catch {
    // Then the text itself is shown.
  }
  return { INVALID_JSON: json };
}
