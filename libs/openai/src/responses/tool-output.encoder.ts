import type { ToolResultPart } from 'nestjs-agent-tools';
import { encodeCallId } from './call-id.encoder.js';
import { encodePart } from './content-part.encoder.js';
import type { WireItem } from './interfaces/item-encoding.interface.js';

const NOTHING = '(no output)';

/** The result of a call. Text goes as text, which all servers take; images need a list. */
export function encodeToolOutput({ callId, content }: ToolResultPart): WireItem {
  return {
    type: 'function_call_output',
    call_id: encodeCallId(callId),
    output: encodeOutput(content),
  };
}

function encodeOutput(content: ToolResultPart['content']): string | WireItem[] {
  if (typeof content === 'string') return content || NOTHING;
  if (content.some(({ type }) => type === 'image')) return content.map(encodePart);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') || NOTHING;
}
