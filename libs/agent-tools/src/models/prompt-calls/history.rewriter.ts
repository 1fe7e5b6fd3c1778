import type {
  AssistantMessage,
  ChatMessage,
  ImagePart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from '../interfaces/chat-message.interface.js';
import { CALL_END, CALL_TAG, RESPONSE_END, RESPONSE_TAG } from './markup.js';

/** A conversation is sent again with each step, so what was rewritten for one is kept for the next. */
const REWRITTEN = new WeakMap<ChatMessage, ChatMessage>();

/** The begin of a tag, in forms that a model might take for one, too. */
const MARKUP = /<(?=\s*(?:\/\s*)?tool_(?:call|response))/i;
const ALL_MARKUP = new RegExp(MARKUP, 'gi');

/** Tells calls and results as text, as the model would have written and read them. */
export function rewriteHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const rewritten: ChatMessage[] = [];
  let isBehindResults = false;
  for (const message of messages) {
    const last = rewritten.at(-1);
    // Many of these models want user and assistant to take turns.
    if (isBehindResults && message.role === 'user' && last?.role === 'user') {
      rewritten[rewritten.length - 1] = joinMessages(last, harmless(message));
    } else {
      rewritten.push(rewrite(message));
    }
    isBehindResults = message.role === 'tool';
  }
  return rewritten;
}

function rewrite(message: ChatMessage): ChatMessage {
  if (message.role === 'system') return message;
  if (message.role === 'user') return harmless(message);
  let rewritten = REWRITTEN.get(message);
  if (!rewritten) {
    rewritten = message.role === 'tool' ? toUserMessage(message) : withoutCalls(message);
    REWRITTEN.set(message, rewritten);
  }
  return rewritten;
}

function withoutCalls(message: AssistantMessage): AssistantMessage {
  const calls = message.content.filter((part) => part.type === 'tool-call');
  if (calls.length === 0) return message;
  const others = message.content.filter((part) => part.type !== 'tool-call');
  const last = others.at(-1);
  const separator = last?.type === 'text' && !/(?:^|\n)$/.test(last.text) ? '\n' : '';
  const text = separator + calls.map(writeCall).join('\n');
  return { ...message, content: [...others, { type: 'text', text }] };
}

function writeCall({ name, arguments: json }: ToolCallPart): string {
  const args = json.trim() === '' ? '{}' : json;
  return `${CALL_TAG}\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n${CALL_END}`;
}

function toUserMessage({ content }: ToolMessage): UserMessage {
  const text = content.map(writeResult).join('\n');
  const images = content.flatMap(imagesOf);
  return { role: 'user', content: images.length > 0 ? [{ type: 'text', text }, ...images] : text };
}

function writeResult({ name, status, content }: ToolResultPart): string {
  const head = JSON.stringify({ name, status });
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '(image)')).join('\n');
  return `${RESPONSE_TAG}\n${head}\n${defuse(text)}\n${RESPONSE_END}`;
}

/** Results are told as text of the user, who must not be able to write some of his own. */
function harmless(message: UserMessage): UserMessage {
  const { content } = message;
  if (typeof content === 'string') {
    return MARKUP.test(content) ? { ...message, content: defuse(content) } : message;
  }
  if (!content.some((part) => part.type === 'text' && MARKUP.test(part.text))) return message;
  return {
    ...message,
    content: content.map((part) =>
      part.type === 'text' ? { ...part, text: defuse(part.text) } : part,
    ),
  };
}

/** What a tool found in the world must not end its own block, nor begin another one. */
function defuse(text: string): string {
  return text.replaceAll(ALL_MARKUP, '<\\');
}

function imagesOf({ content }: ToolResultPart): ImagePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'image');
}

function joinMessages(first: UserMessage, second: UserMessage): UserMessage {
  if (typeof first.content === 'string' && typeof second.content === 'string') {
    return { role: 'user', content: `${first.content}\n\n${second.content}` };
  }
  return { role: 'user', content: [...partsOf(first), ...partsOf(second)] };
}

function partsOf({ content }: UserMessage): readonly (TextPart | ImagePart)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
