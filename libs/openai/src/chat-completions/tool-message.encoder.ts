import type {
  ImagePart,
  TextPart,
  ToolMessage,
  ToolResultContentPart,
  ToolResultPart,
} from 'nestjs-agent-tools';
import type { WholeProfile } from '../profiles/profile.finder.js';
import { encodeCallId } from './call-id.encoder.js';
import { encodePart } from './content-part.encoder.js';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';

/**
 * One message per result. Most servers take only text in a tool message, so images follow in a message
 * of the user, after all results: nothing may come between those.
 */
export function encodeToolMessage(
  { content }: ToolMessage,
  { profile }: MessageEncoding,
): WireRequestMessage[] {
  const isWhole = profile.toolImages === 'tool';
  const images = isWhole ? [] : content.flatMap((result) => encodeImages(result, profile));
  return [
    ...content.map((result) => ({
      role: 'tool',
      tool_call_id: encodeCallId(result.callId, profile),
      content: isWhole && hasImages(result) ? result.content.map(encodePart) : toText(result),
    })),
    ...(images.length > 0 ? [{ role: 'user', content: images }] : []),
  ];
}

function hasImages(
  result: ToolResultPart,
): result is ToolResultPart & { content: readonly ToolResultContentPart[] } {
  return typeof result.content !== 'string' && result.content.some(({ type }) => type === 'image');
}

function toText({ content }: ToolResultPart): string {
  if (typeof content === 'string') return content || '(no output)';
  const texts = content.filter((part): part is TextPart => part.type === 'text');
  if (texts.length > 0) return texts.map(({ text }) => text).join('\n') || '(no output)';
  return content.length > 0 ? '(images, see below)' : '(no output)';
}

function encodeImages(
  { name, callId, content }: ToolResultPart,
  profile: WholeProfile,
): WireRequestMessage[] {
  if (typeof content === 'string') return [];
  const images = content.filter((part): part is ImagePart => part.type === 'image');
  if (images.length === 0) return [];
  const text = `Images that the tool ${name} returned for the call ${encodeCallId(callId, profile)}:`;
  return [{ type: 'text', text }, ...images.map(encodePart)];
}
