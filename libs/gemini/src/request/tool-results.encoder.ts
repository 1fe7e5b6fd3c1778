import type { ImagePart, ToolMessage, ToolResultPart } from 'nestjs-agent-tools';
import { imagesCaption, resultImages, resultText } from 'nestjs-agent-tools/model-kit';
import { isFromGemini3 } from '../profile/model-traits.js';
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
    ...content.map((result) =>
      encodeResponse(result, resultImages(result).filter(isHeld), encoding),
    ),
    ...content.flatMap((result) =>
      encodeOthers(
        result,
        resultImages(result).filter((image) => !isHeld(image)),
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
  const text = resultText(result, images.length > 0 ? '(images)' : undefined);
  return {
    functionResponse: {
      ...(callIds && { id: callId }),
      name: encodeName(name, toolNames),
      response: status === 'success' ? { output: text } : { error: text },
      ...(images.length > 0 && { parts: images.map(encodeImage) }),
    },
  };
}

function encodeOthers(result: ToolResultPart, images: readonly ImagePart[]): WireRequestPart[] {
  if (images.length === 0) return [];
  return [{ text: imagesCaption(result) }, ...images.map(encodeImage)];
}
