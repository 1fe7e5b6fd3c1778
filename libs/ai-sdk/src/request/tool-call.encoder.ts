import type { ToolCallPart } from 'nestjs-agent-tools';
import { toArgumentsObject, toCallName } from 'nestjs-agent-tools/model-kit';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { SdkPart } from '../interfaces/sdk-call.interface.js';
import { optionsOf } from '../part.metadata.js';

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
    input: toArgumentsObject(call.arguments),
    ...(specification === 'v2' && REFERS.test(provider) ? {} : options),
  };
}

export function encodeName(name: string, { toolNames }: PromptEncoding): string {
  return toCallName(name, toolNames);
}
