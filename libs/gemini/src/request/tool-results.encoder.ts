import type { ImagePart, TextPart, ToolMessage, ToolResultPart } from 'nestjs-agent-tools';
import { isFromGemini3 } from '../model-traits.js';
import { encodeName } from './function-call.encoder.js';
import { encodeImage } from './image.encoder.js';
import type { ContentEncoding, WireRequestPart } from './interfaces/content-encoding.interface.js';

/** What a response can hold. */
const HELD_IMAGE = /^data:image\/(?:png|jpeg|webp)[;,]/i;

/**
 * The results of one turn: the responses first, in the order of the calls, then the images that they
 * cannot hold. Those of Gemini 3 can hold some, if their bytes are there.
 */
export function encodeToolResults(
  { content }: ToolMessage,
  encoding: ContentEncoding,
): WireRequestPart[] {
  const isHeld = ({ url }: ImagePart): boolean =>
    isFromGemini3(encoding.model) && HELD_IMAGE.test(url);
  return [
    ...content.map((result) => encodeResponse(result, imagesOf(result).filter(isHeld), encoding)),
    ...content.flatMap((result) =>
      encodeOthers(
        result,
        imagesOf(result).filter((image) => !isHeld(image)),
      ),
    ),
  ];
}

function encodeResponse(
  result: ToolResultPart,
  images: readonly ImagePart[],
  { toolNames, callIds }: ContentEncoding,
): WireRequestPart {
  const { callId, name, status } = result;
  const text = toText(result);
  return {
    functionResponse: {
      ...(callIds && { id: callId }),
      name: encodeName(name, toolNames),
      response: status === 'success' ? { output: text } : { error: text },
      ...(images.length > 0 && { parts: images.map(encodeImage) }),
    },
  };
}

function encodeOthers(
  { name, callId }: ToolResultPart,
  images: readonly ImagePart[],
): WireRequestPart[] {
  if (images.length === 0) return [];
  const text = `Images that the tool ${name} returned for the call ${callId}:`;
  return [{ text }, ...images.map(encodeImage)];
}

function toText({ content }: ToolResultPart): string {
  if (typeof content === 'string') return content || '(no output)';
  const texts = content.filter((part): part is TextPart => part.type === 'text');
  if (texts.length > 0) return texts.map(({ text }) => text).join('\n') || '(no output)';
  return content.length > 0 ? '(images)' : '(no output)';
}

function imagesOf({ content }: ToolResultPart): ImagePart[] {
  if (typeof content === 'string') return [];
  return content.filter((part): part is ImagePart => part.type === 'image');
}
