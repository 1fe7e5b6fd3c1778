import type { ToolCallPart } from 'nestjs-agent-tools';
import { encodeCallId } from './call-id.encoder.js';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';

const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/** A call of the history in a form that every server takes, whatever the model wrote. */
export function encodeToolCall(
  { id, name, arguments: json, providerMetadata }: ToolCallPart,
  { toolNames, profile }: MessageEncoding,
): WireRequestMessage {
  const extra = providerMetadata?.openai?.extra_content;
  return {
    id: encodeCallId(id, profile),
    type: 'function',
    function: { name: encodeName(name, toolNames), arguments: encodeArguments(json) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}

/** A name that the model made up makes each later request fail, if the server checks names. */
function encodeName(name: string, toolNames: ReadonlySet<string>): string {
  if (VALID_NAME.test(name) || toolNames.has(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unknown_tool';
}

/** The same with arguments that are no JSON object: servers that translate them need one. */
function encodeArguments(json: string): string {
  if (json.trim() === '') return '{}';
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return json;
  } catch {
    // The model wrote it, so it should see it again, but within an object.
  }
  return JSON.stringify({ INVALID_JSON: json });
}
