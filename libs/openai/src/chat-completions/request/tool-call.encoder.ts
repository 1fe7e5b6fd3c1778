import type { ToolCallPart } from 'nestjs-agent-tools';
import { toArgumentsText, toCallName } from 'nestjs-agent-tools/model-kit';
import { encodeCallId } from './call-id.encoder.js';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';
import { readMetadata } from '../server.metadata.js';

/** A call of the history in a form that every server takes, whatever the model wrote. */
export function encodeToolCall(
  call: ToolCallPart,
  { toolNames, profile }: MessageEncoding,
): WireRequestMessage {
  const { id, name, arguments: json } = call;
  const { extra_content: extra } = readMetadata(call, profile);
  return {
    id: encodeCallId(id, profile),
    type: 'function',
    function: { name: toCallName(name, toolNames), arguments: toArgumentsText(json) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}
