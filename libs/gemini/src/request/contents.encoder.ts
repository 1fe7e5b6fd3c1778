import type { ChatMessage } from 'nestjs-agent-tools';
import { encodeImage } from './image.encoder.js';
import type {
  ContentEncoding,
  WireRequestContent,
  WireRequestPart,
} from './interfaces/content-encoding.interface.js';
import { encodeModelParts } from './model-parts.encoder.js';
import { withSignatures } from './signature.filler.js';
import { encodeToolResults } from './tool-results.encoder.js';

/** All messages of the application, wherever they stand: Gemini has one place for them. */
export function encodeSystem(messages: readonly ChatMessage[]): object | undefined {
  const parts = messages.flatMap((message) =>
    message.role === 'system' && message.content !== '' ? [{ text: message.content }] : [],
  );
  return parts.length > 0 ? { parts } : undefined;
}

/** A conversation as it is sent: no content is empty, and no two neighbours have one role. */
export function encodeContents(
  messages: readonly ChatMessage[],
  encoding: ContentEncoding,
): WireRequestContent[] {
  const contents: { role: 'user' | 'model'; parts: WireRequestPart[] }[] = [];
  for (const message of messages) {
    const parts = encodeParts(message, encoding);
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return withSignatures(contents, encoding);
}

function encodeParts(message: ChatMessage, encoding: ContentEncoding): WireRequestPart[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'assistant':
      return encodeModelParts(message, encoding);
    case 'tool':
      return encodeToolResults(message, encoding);
    case 'user': {
      const { content } = message;
      const parts =
        typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      return parts.flatMap((part) => {
        if (part.type === 'image') return [encodeImage(part)];
        return part.text === '' ? [] : [{ text: part.text }];
      });
    }
  }
}
