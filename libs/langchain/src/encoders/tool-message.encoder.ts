import type { ImagePart, TextPart, ToolMessage, ToolResultPart } from 'nestjs-agent-tools';
import type { LangChainBlock, LangChainMessage } from '../interfaces/langchain-model.interface.js';
import { encodePart } from './content-part.encoder.js';
import type { Encoding } from './encoding.interface.js';
import { encodeName } from './tool-call.encoder.js';

/**
 * One message per result. What a tool message may hold beside text differs by provider (and OpenAI's
 * Responses would get images as JSON text), so images follow in a message of the user.
 */
export function encodeToolMessage(
  { content }: ToolMessage,
  { toolNames }: Encoding,
): LangChainMessage[] {
  const images = content.flatMap(encodeImages);
  return [
    ...content.map((result): LangChainMessage => ({
      role: 'tool',
      tool_call_id: result.callId,
      name: encodeName(result.name, toolNames),
      status: result.status === 'success' ? 'success' : 'error',
      content: toText(result),
    })),
    ...(images.length > 0 ? [{ role: 'user', content: images } as const] : []),
  ];
}

function toText({ content }: ToolResultPart): string {
  if (typeof content === 'string') return content || '(no output)';
  const texts = content.filter((part): part is TextPart => part.type === 'text');
  if (texts.length > 0) return texts.map(({ text }) => text).join('\n') || '(no output)';
  return content.length > 0 ? '(images, see below)' : '(no output)';
}

function encodeImages({ name, callId, content }: ToolResultPart): LangChainBlock[] {
  if (typeof content === 'string') return [];
  const images = content.filter((part): part is ImagePart => part.type === 'image');
  if (images.length === 0) return [];
  const text = `Images that the tool ${name} returned for the call ${callId}:`;
  return [{ type: 'text', text }, ...images.map(encodePart)];
}
