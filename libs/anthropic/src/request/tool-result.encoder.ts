import type { ToolResultPart } from 'nestjs-agent-tools';
import { resultText } from 'nestjs-agent-tools/model-kit';
import { encodeCallId } from './call-id.encoder.js';
import { encodeParts } from './content-part.encoder.js';
import type { WireBlock } from './interfaces/wire-request.interface.js';

export function encodeToolResult({ callId, status, content }: ToolResultPart): WireBlock {
  return {
    type: 'tool_result',
    tool_use_id: encodeCallId(callId),
    content: encodeContent(content),
    ...(status !== 'success' && { is_error: true }),
  };
}

function encodeContent(content: ToolResultPart['content']): string | WireBlock[] {
  const blocks = typeof content === 'string' ? [] : encodeParts(content);
  return blocks.length > 0 ? blocks : resultText({ content });
}
