import type { ToolCallPart } from 'nestjs-agent-tools';
import { toArgumentsObject, toCallName } from 'nestjs-agent-tools/model-kit';
import { readMetadata } from '../block.metadata.js';
import { encodeCallId } from './call-id.encoder.js';
import type { WireBlock } from './interfaces/wire-request.interface.js';

/** A call of the history in a form that Anthropic takes, whatever the model wrote. */
export function encodeToolUse(
  { id, name, arguments: json, providerMetadata }: ToolCallPart,
  toolNames: ReadonlySet<string>,
): WireBlock {
  const { caller } = readMetadata(providerMetadata);
  return {
    type: 'tool_use',
    id: encodeCallId(id),
    name: toCallName(name, toolNames),
    input: toArgumentsObject(json),
    ...(caller && { caller }),
  };
}
