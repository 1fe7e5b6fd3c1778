import type {
  AssistantMessage,
  AssistantPart,
  ReasoningPart,
  ToolCallPart,
} from 'nestjs-agent-tools';
import type {
  MessageEncoding,
  WireRequestMessage,
} from './interfaces/message-encoding.interface.js';
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
  if (calls.length === 0) return { role: 'assistant', content: text };
  return {
    role: 'assistant',
    // OpenAI refuses `null` without calls; gateways to Bedrock refuse an empty text with calls.
    content: text || null,
    ...encodeReasoning(ofType(content, 'reasoning'), encoding.reasoningField),
    tool_calls: calls.map((call: ToolCallPart) => encodeToolCall(call, encoding.toolNames)),
  };
}

function encodeReasoning(parts: readonly ReasoningPart[], field?: string): WireRequestMessage {
  if (!field) return {};
  const details = parts.flatMap((part) => {
    const list = part.providerMetadata?.openai?.reasoning_details;
    return Array.isArray(list) ? (list as readonly unknown[]) : [];
  });
  if (details.length > 0) return { reasoning_details: details };
  // Also if there is none: DeepSeek refuses a message with calls that lacks the field.
  return { [field]: parts.map((part) => part.text).join('') };
}

function ofType<Type extends AssistantPart['type']>(
  content: readonly AssistantPart[],
  type: Type,
): Extract<AssistantPart, { type: Type }>[] {
  return content.filter(
    (part): part is Extract<AssistantPart, { type: Type }> => part.type === type,
  );
}
