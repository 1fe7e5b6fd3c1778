import type { ImagePart, TextPart, ToolMessage, ToolResultPart } from 'nestjs-agent-tools';
import { encodePart } from './content-part.encoder.js';
import type { WireRequestMessage } from './interfaces/message-encoding.interface.js';

/**
 * One message per result. A tool message takes only text, so images follow in a message of the
 * user, after all results: nothing may come between those.
 */
export function encodeToolMessage({ content }: ToolMessage): WireRequestMessage[] {
  const images = content.flatMap(encodeImages);
  return [
    ...content.map((result) => ({
      role: 'tool',
      tool_call_id: result.callId,
      content: toText(result),
    })),
    ...(images.length > 0 ? [{ role: 'user', content: images }] : []),
  ];
}

function toText({ content }: ToolResultPart): string {
  if (typeof content === 'string') return content || '(no output)';
  const texts = content.filter((part): part is TextPart => part.type === 'text');
  if (texts.length > 0) return texts.map(({ text }) => text).join('\n') || '(no output)';
  return content.length > 0 ? '(images, see below)' : '(no output)';
}

function encodeImages({ name, callId, content }: ToolResultPart): WireRequestMessage[] {
  if (typeof content === 'string') return [];
  const images = content.filter((part): part is ImagePart => part.type === 'image');
  if (images.length === 0) return [];
  const text = `Images that the tool ${name} returned for the call ${callId}:`;
  return [{ type: 'text', text }, ...images.map(encodePart)];
}
