import type {
  AssistantMessage,
  SystemMessage,
  TextPart,
  UserMessage,
} from '../interfaces/chat-message.interface.js';
import type { ChatResponse } from '../interfaces/chat-model.interface.js';

/**
 * The text of an answer, or of a message: its parts of text, one after another. Empty if there is none.
 *
 * ```ts
 * const title = textOf(await model.generate({ messages }));
 * ```
 *
 * @publicApi
 */
export function textOf({
  content,
}:
  | Pick<ChatResponse, 'content'>
  | Pick<AssistantMessage, 'content'>
  | Pick<UserMessage, 'content'>
  | Pick<SystemMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  if (content.length === 1 && content[0].type === 'text') return content[0].text;
  return content
    .filter((part): part is TextPart => part.type === 'text')
    .map(({ text }) => text)
    .join('');
}
