import type { ToolCallPart } from 'nestjs-agent-tools';
import { encodeCallArguments, encodeCallName } from '../shared/call-content.encoder.js';
import { encodeCallId } from './call-id.encoder.js';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';

/** A call of the history in a form that every server takes, whatever the model wrote. */
export function encodeToolCall(
  { id, name, arguments: json, providerMetadata }: ToolCallPart,
  { toolNames, profile }: MessageEncoding,
): WireRequestMessage {
  const extra = providerMetadata?.openai?.extra_content;
  return {
    id: encodeCallId(id, profile),
    type: 'function',
    function: { name: encodeCallName(name, toolNames), arguments: encodeCallArguments(json) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}
