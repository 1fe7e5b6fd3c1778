import type { ToolMessage, ToolResultPart } from 'nestjs-agent-tools';
import { imagesCaption, resultImages, resultText, toCallName } from 'nestjs-agent-tools/model-kit';
import type { LangChainBlock, LangChainMessage } from '../interfaces/langchain-model.interface.js';
import { encodePart } from './content-part.encoder.js';
import type { Encoding } from './interfaces/encoding.interface.js';

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
      name: toCallName(result.name, toolNames),
      status: result.status === 'success' ? 'success' : 'error',
      content: resultText(result),
    })),
    ...(images.length > 0 ? [{ role: 'user', content: images } as const] : []),
  ];
}

function encodeImages(result: ToolResultPart): LangChainBlock[] {
  const images = resultImages(result);
  if (images.length === 0) return [];
  return [{ type: 'text', text: imagesCaption(result) }, ...images.map(encodePart)];
}
