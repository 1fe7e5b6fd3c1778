import type { AssistantMessage, AssistantPart, ReasoningPart } from 'nestjs-agent-tools';
import type { WholeProfile } from '../../profiles/profile.finder.js';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';
import { isForeign, readMetadata } from '../server.metadata.js';
import { encodeToolCall } from './tool-call.encoder.js';

/** `undefined` for a message of which nothing is left once its reasoning is gone. */
export function encodeAssistant(
  { content }: AssistantMessage,
  encoding: MessageEncoding,
): WireRequestMessage | undefined {
  const calls = ofType(content, 'tool-call');
  const texts = ofType(content, 'text');
  if (calls.length === 0 && texts.length === 0 && content.length > 0) return undefined;
  const text = texts.map((part) => part.text).join('');
  // OpenAI refuses `null` without calls.
  if (calls.length === 0) return { role: 'assistant', content: text };
  const { profile } = encoding;
  const { emptyContent = null, echoReasoning } = profile;
  const reasoning = ofType(content, 'reasoning').filter((part) => !isForeign(part, profile));
  return {
    role: 'assistant',
    content: text || emptyContent,
    ...(echoReasoning && encodeReasoning(reasoning, text, echoReasoning, profile)),
    tool_calls: calls.map((call) => encodeToolCall(call, encoding)),
  };
}

function encodeReasoning(
  parts: readonly ReasoningPart[],
  text: string,
  field: string,
  profile: WholeProfile,
): WireRequestMessage {
  const thinking = parts.map((part) => part.text).join('');
  if (field === 'content') return thinking ? { content: toThinking(thinking, text) } : {};
  const details = parts.flatMap((part) => {
    const { reasoning_details: list } = readMetadata(part, profile);
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  if (details.length > 0) return { reasoning_details: details };
  // Also if there is none: DeepSeek refuses a message with calls that lacks this field.
  return thinking || field === 'reasoning_content' ? { [field]: thinking } : {};
}

/** Mistral's list: what the model thought, then what it said. */
function toThinking(thinking: string, text: string): WireRequestMessage[] {
  const thought = { type: 'thinking', thinking: [{ type: 'text', text: thinking }] };
  return text ? [thought, { type: 'text', text }] : [thought];
}

function ofType<Type extends AssistantPart['type']>(
  content: readonly AssistantPart[],
  type: Type,
): Extract<AssistantPart, { type: Type }>[] {
  return content.filter(
    (part): part is Extract<AssistantPart, { type: Type }> => part.type === type,
  );
}
