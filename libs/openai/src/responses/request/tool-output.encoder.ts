import type { ToolResultPart } from 'nestjs-agent-tools';
import { resultText } from 'nestjs-agent-tools/model-kit';
import { encodeCallId } from './call-id.encoder.js';
import { encodePart } from './content-part.encoder.js';
import type { WireItem } from './interfaces/item-encoding.interface.js';

/** The result of a call. Text goes as text, which all servers take; images need a list. */
export function encodeToolOutput({ callId, content }: ToolResultPart): WireItem {
  return {
    type: 'function_call_output',
    call_id: encodeCallId(callId),
    output: encodeOutput(content),
  };
}

function encodeOutput(content: ToolResultPart['content']): string | WireItem[] {
  const hasImages = typeof content !== 'string' && content.some(({ type }) => type === 'image');
  return hasImages ? content.map(encodePart) : resultText({ content });
}
