import type { ChatMessage } from 'nestjs-agent-tools';
import { encodeAssistant } from './assistant-message.encoder.js';
import { encodePart } from './content-part.encoder.js';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';
import { encodeToolMessage } from './tool-message.encoder.js';

/** A conversation as it is sent. */
export function encodeMessages(
  messages: readonly ChatMessage[],
  encoding: MessageEncoding,
): WireRequestMessage[] {
  return messages.flatMap((message) => encodeMessage(message, encoding));
}

function encodeMessage(message: ChatMessage, encoding: MessageEncoding): WireRequestMessage[] {
  if (message.role === 'tool') return encodeToolMessage(message, encoding);
  if (message.role === 'assistant') {
    const assistant = encodeAssistant(message, encoding);
    return assistant ? [assistant] : [];
  }
  const { role, content } = message;
  return [{ role, content: typeof content === 'string' ? content : content.map(encodePart) }];
}
