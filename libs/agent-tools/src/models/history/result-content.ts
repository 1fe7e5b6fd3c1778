import type { ImagePart, TextPart, ToolResultPart } from '../interfaces/chat-message.interface.js';

const NOTHING = '(no output)';

/**
 * The text of a result, for servers that take no images in one. Never empty.
 *
 * @param images What is said if there are only images. @default that they follow
 * @publicApi
 */
export function resultText(
  { content }: Pick<ToolResultPart, 'content'>,
  images = '(images, see below)',
): string {
  if (typeof content === 'string') return content.trim() === '' ? NOTHING : content;
  const texts = content.filter((part): part is TextPart => part.type === 'text');
  const text = texts.map((part) => part.text).join('\n');
  if (text.trim() !== '') return text;
  return content.length > texts.length ? images : NOTHING;
}

/**
 * The images of a result.
 *
 * @publicApi
 */
export function resultImages({ content }: Pick<ToolResultPart, 'content'>): ImagePart[] {
  if (typeof content === 'string') return [];
  return content.filter((part): part is ImagePart => part.type === 'image');
}

/**
 * What stands before the images of a result that follow in a message of the user.
 *
 * @param callId As it is sent. @default that of the result
 * @publicApi
 */
export function imagesCaption(
  result: Pick<ToolResultPart, 'name' | 'callId'>,
  callId = result.callId,
): string {
  return `Images that the tool ${result.name} returned for the call ${callId}:`;
}
