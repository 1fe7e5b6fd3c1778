import type { ToolCallPart } from 'nestjs-agent-tools';
import { readMetadata } from './block-metadata.js';
import { encodeCallId } from './call-id.encoder.js';
import type { WireBlock } from './interfaces/wire-request.interface.js';

const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/** A call of the history in a form that Anthropic takes, whatever the model wrote. */
export function encodeToolUse(
  { id, name, arguments: json, providerMetadata }: ToolCallPart,
  toolNames: ReadonlySet<string>,
): WireBlock {
  const { caller } = readMetadata(providerMetadata);
  return {
    type: 'tool_use',
    id: encodeCallId(id),
    name: encodeName(name, toolNames),
    input: encodeInput(json),
    ...(caller && { caller }),
  };
}

/** A name that the model made up would make each later request fail. */
function encodeName(name: string, toolNames: ReadonlySet<string>): string {
  if (VALID_NAME.test(name) || toolNames.has(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME) || 'unknown_tool';
}

function encodeInput(json: unknown): unknown {
  // Conversations stored by others may lack the arguments of a call without any.
  if (typeof json !== 'string' || json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The model wrote it, so it should see it again, but within an object.
  }
  return { INVALID_JSON: json };
}
