import type { ChatMessage } from 'nestjs-agent-tools';
import type { LangChainMessage } from '../interfaces/langchain-model.interface.js';
import { encodeAssistant } from './assistant-message.encoder.js';
import { encodePart } from './content-part.encoder.js';
import type { Encoding } from './interfaces/encoding.interface.js';
import { encodeToolMessage } from './tool-message.encoder.js';

/** A conversation as LangChain takes it. Each message is new: its classes write into what they get. */
export function encodeMessages(
  messages: readonly ChatMessage[],
  encoding: Encoding,
): LangChainMessage[] {
  return messages.flatMap((message): LangChainMessage[] => {
    if (message.role === 'tool') return encodeToolMessage(message, encoding);
    if (message.role === 'assistant') return encodeAssistant(message, encoding);
    const { role, content } = message;
    return [{ role, content: typeof content === 'string' ? content : content.map(encodePart) }];
  });
}
