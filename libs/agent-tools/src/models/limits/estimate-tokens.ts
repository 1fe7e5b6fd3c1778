import type { ObjectJsonSchema } from '../../schemas/interfaces/json-schema.interface.js';
import type {
  AssistantPart,
  ChatMessage,
  ToolResultContentPart,
  ToolResultPart,
} from '../interfaces/chat-message.interface.js';
import type { ChatRequest } from '../interfaces/chat-model.interface.js';

const CHARACTERS = 4;
/** About 1,000 tokens, whatever the length of its address. */
const IMAGE = 4_000;

/** A conversation is sent anew with each step, so that each message is counted once. */
const messageLengths = new WeakMap<ChatMessage, number>();
const schemaLengths = new WeakMap<ObjectJsonSchema, number>();

/** About how many tokens a request takes. */
export function estimateTokens({ messages, tools, settings }: ChatRequest): number {
  let length = 0;
  for (const message of messages) length += remember(messageLengths, message, messageLength);
  for (const { name, description, inputSchema } of tools ?? []) {
    length += name.length + description.length + remember(schemaLengths, inputSchema, schemaLength);
  }
  const { maxTokens = 0 } = settings ?? {};
  return Math.max(1, Math.ceil(length / CHARACTERS) + (maxTokens > 0 ? maxTokens : 0));
}

function remember<T extends object>(
  lengths: WeakMap<T, number>,
  item: T,
  measure: (item: T) => number,
): number {
  let length = lengths.get(item);
  if (length === undefined) {
    length = measure(item);
    lengths.set(item, length);
  }
  return length;
}

function schemaLength(schema: ObjectJsonSchema): number {
  return JSON.stringify(schema).length;
}

type Part = AssistantPart | ToolResultContentPart | ToolResultPart;

function messageLength({ content }: ChatMessage): number {
  return contentLength(content);
}

function contentLength(content: string | readonly Part[]): number {
  if (typeof content === 'string') return content.length;
  let length = 0;
  for (const part of content) length += partLength(part);
  return length;
}

function partLength(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'image':
      return IMAGE;
    case 'tool-call':
      return part.name.length + part.arguments.length;
    case 'tool-result':
      return part.name.length + contentLength(part.content);
  }
}
