import type { ToolCallPart } from 'nestjs-agent-tools';
import { fieldsOf, type Fields } from '../values.js';

const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/** A call as LangChain's messages hold it. */
export interface EncodedCall extends Fields {
  readonly id: string;
  readonly name: string;
  readonly args: Fields;
  readonly type: 'tool_call';
}

export function encodeToolCall(
  { id, name, arguments: json, providerMetadata }: ToolCallPart,
  metadataKey: string,
  toolNames: ReadonlySet<string>,
): EncodedCall {
  const extras = fieldsOf(providerMetadata?.[metadataKey]?.call);
  return {
    ...extras,
    id,
    name: encodeName(name, toolNames),
    args: toArguments(json),
    type: 'tool_call',
  };
}

/** A name that the model made up makes each later request fail, if the server checks names. */
export function encodeName(name: string, toolNames: ReadonlySet<string>): string {
  if (VALID_NAME.test(name) || toolNames.has(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unknown_tool';
}

/** LangChain's calls hold an object; what else the model wrote it should see again within one. */
function toArguments(json: string): Fields {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Fields;
    }
  } catch {
    // Wrapped below.
  }
  return { INVALID_JSON: json };
}
