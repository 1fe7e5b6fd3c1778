import type { ImagePart, ToolMessage, ToolResultPart } from 'nestjs-agent-tools';
import { imagesCaption, resultImages, resultText } from 'nestjs-agent-tools/model-kit';
import { encodeFile, encodeResultImage } from './file-part.encoder.js';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { SdkMessage, SdkPart } from '../interfaces/sdk-call.interface.js';
import { optionsOf } from '../part.metadata.js';
import { encodeName } from './tool-call.encoder.js';

/**
 * The results of one step. Images that cannot be within a result follow in a message of the user, after
 * all results: nothing may come between those.
 */
export function encodeToolMessage(
  { content }: ToolMessage,
  encoding: PromptEncoding,
): SdkMessage[] {
  const images: SdkPart[] = [];
  const results = content.map((result) => {
    const { output, left } = encodeOutput(result, encoding);
    if (left.length > 0) images.push(...introduce(result, left, encoding));
    return {
      type: 'tool-result',
      toolCallId: result.callId,
      toolName: encodeName(result.name, encoding),
      output,
      ...optionsOf(result, encoding.provider),
    };
  });
  return [
    { role: 'tool', content: results },
    ...(images.length > 0 ? [{ role: 'user', content: images } as const] : []),
  ];
}

interface EncodedOutput {
  readonly output: object;
  /** The images that are not in it. */
  readonly left: readonly ImagePart[];
}

function encodeOutput(
  { status, content }: ToolResultPart,
  encoding: PromptEncoding,
): EncodedOutput {
  const parts = typeof content === 'string' ? [] : content;
  const images = resultImages({ content });
  // An error has only text in every specification.
  const isInside = status === 'success' && encoding.toolImages === 'result' && images.length > 0;
  if (isInside) {
    const left: ImagePart[] = [];
    const value = parts.flatMap((part): SdkPart[] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }];
      const image = encodeResultImage(part, encoding);
      if (!image) left.push(part);
      return image ? [image] : [];
    });
    if (left.length === 0) return { output: { type: 'content', value }, left };
  }
  const type = status === 'success' ? 'text' : 'error-text';
  return { output: { type, value: resultText({ content }) }, left: images };
}

function introduce(
  result: ToolResultPart,
  images: readonly ImagePart[],
  encoding: PromptEncoding,
): SdkPart[] {
  return [
    { type: 'text', text: imagesCaption(result) },
    ...images.map((image) => encodeFile(image, encoding)),
  ];
}
