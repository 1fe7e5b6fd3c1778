import type { ToolMessage, ToolResultContentPart, ToolResultPart } from 'nestjs-agent-tools';
import { imagesCaption, resultImages, resultText } from 'nestjs-agent-tools/model-kit';
import type { WholeProfile } from '../../profiles/profile.finder.js';
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
      content: isWhole && hasImages(result) ? result.content.map(encodePart) : resultText(result),
    })),
    ...(images.length > 0 ? [{ role: 'user', content: images }] : []),
  ];
}

function hasImages(
  result: ToolResultPart,
): result is ToolResultPart & { content: readonly ToolResultContentPart[] } {
  return typeof result.content !== 'string' && result.content.some(({ type }) => type === 'image');
}

function encodeImages(result: ToolResultPart, profile: WholeProfile): WireRequestMessage[] {
  const images = resultImages(result);
  if (images.length === 0) return [];
  const text = imagesCaption(result, encodeCallId(result.callId, profile));
  return [{ type: 'text', text }, ...images.map(encodePart)];
}
