import type { ChatMessage, ImagePart, TextPart } from 'nestjs-agent-tools';
import { encodeAssistant } from './assistant-message.encoder.js';
import { encodeFile } from './file-part.encoder.js';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { SdkMessage, SdkPart } from '../interfaces/sdk-call.interface.js';
import { optionsOf } from '../part.metadata.js';
import { encodeToolMessage } from './tool-message.encoder.js';

/** A conversation as a model of the AI SDK takes it. */
export function encodePrompt(
  messages: readonly ChatMessage[],
  encoding: PromptEncoding,
): SdkMessage[] {
  return messages.flatMap((message) => encodeMessage(message, encoding));
}

function encodeMessage(message: ChatMessage, encoding: PromptEncoding): SdkMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user': {
      const { content } = message;
      const parts =
        typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
      return [{ role: 'user', content: parts.map((part) => encodeUserPart(part, encoding)) }];
    }
    case 'assistant':
      return encodeAssistant(message, encoding);
    case 'tool':
      return encodeToolMessage(message, encoding);
  }
}

function encodeUserPart(part: TextPart | ImagePart, encoding: PromptEncoding): SdkPart {
  if (part.type === 'image') return encodeFile(part, encoding);
  return { type: 'text', text: part.text, ...optionsOf(part, encoding.provider) };
}
