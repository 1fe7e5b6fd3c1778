import type { Attributes } from '@opentelemetry/api';
import { INVALID_JSON_FIELD } from '../agent-tools.constants.js';
import type {
  AssistantPart,
  ChatMessage,
  ImagePart,
  ToolResultContentPart,
  ToolResultPart,
} from '../models/interfaces/chat-message.interface.js';
import { isSecretName, redactCredentials, secretNameAt } from '../utils/redact-credentials.js';

/** In the form of the GenAI conventions' JSON schemas of messages. */
type Part = Readonly<Record<string, unknown>> & { readonly type: string };

const REDACTED = '***';

const FINISH_REASONS: Readonly<Record<string, string>> = {
  'content-filter': 'content_filter',
  'tool-calls': 'tool_call',
};

export function toFinishReason(reason: string): string {
  return FINISH_REASONS[reason] ?? reason;
}

/** @param given the messages of a conversation, or the text with which one begins */
export function inputContent(given: () => unknown): Attributes {
  return asJson('gen_ai.input.messages', () => {
    const input = given();
    if (typeof input === 'string') return [{ role: 'user', parts: [textPart(input)] }];
    return (input as readonly ChatMessage[]).map((message) => ({
      role: message.role,
      parts: partsOf(message),
    }));
  });
}

export function outputContent(content: readonly AssistantPart[], finishReason: string): Attributes {
  return asJson('gen_ai.output.messages', () => [
    {
      role: 'assistant',
      parts: content.map(assistantPart),
      finish_reason: toFinishReason(finishReason),
    },
  ]);
}

export function argumentsContent(input: unknown): Attributes {
  return asJson('gen_ai.tool.call.arguments', () =>
    typeof input === 'string' ? readArguments(input) : input,
  );
}

export function resultContent(content: string | readonly ToolResultContentPart[]): Attributes {
  return asJson('gen_ai.tool.call.result', () => responseOf(content));
}

function partsOf(message: ChatMessage): readonly Part[] {
  switch (message.role) {
    case 'system':
      return [textPart(message.content)];
    case 'user':
      return typeof message.content === 'string'
        ? [textPart(message.content)]
        : message.content.map(simplePart);
    case 'assistant':
      return message.content.map(assistantPart);
    case 'tool':
      return message.content.map(responsePart);
  }
}

function assistantPart(part: AssistantPart): Part {
  if (part.type !== 'tool-call') return { type: part.type, content: part.text };
  const { id, name } = part;
  return { type: 'tool_call', id, name, arguments: readArguments(part.arguments) };
}

function responsePart({ callId, content }: ToolResultPart): Part {
  return { type: 'tool_call_response', id: callId, response: responseOf(content) };
}

function simplePart(part: ToolResultContentPart): Part {
  return part.type === 'text' ? textPart(part.text) : imagePart(part);
}

function textPart(content: string): Part {
  return { type: 'text', content };
}

/** Of an image that is part of the message only its type: its bytes would make the span too big. */
function imagePart({ url }: ImagePart): Part {
  const inline = /^data:([^;,]*)/.exec(url);
  return inline
    ? { type: 'image', mime_type: inline[1] }
    : { type: 'uri', modality: 'image', uri: redactCredentials(url) };
}

function responseOf(content: string | readonly ToolResultContentPart[]): unknown {
  return typeof content === 'string' ? (parsed(content) ?? content) : content.map(simplePart);
}

function readArguments(text: string): unknown {
  return parsed(text) ?? beforeSecrets(text);
}

/** Nobody knows where the value of a secret field ends in a text that is not JSON. */
function beforeSecrets(text: string): string {
  // A name may be written in escapes.
  const places = [secretNameAt(text), text.indexOf('\\u00')].filter((at) => at >= 0);
  if (places.length === 0) return redactCredentials(text);
  return `${redactCredentials(text.slice(0, Math.min(...places)))}…`;
}

/** An object or a list, whose fields have names; undefined for anything else. */
function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** What cannot be written as JSON, such as a loop in the arguments of a call from code, is left out. */
function asJson(name: string, value: () => unknown): Attributes {
  try {
    const content = value();
    const json: string | undefined =
      typeof content === 'string' ? content : JSON.stringify(content, hideSecret);
    return json === undefined ? {} : { [name]: json };
  } catch {
    return {};
  }
}

function hideSecret(name: string, value: unknown): unknown {
  if (name === INVALID_JSON_FIELD && typeof value === 'string') return beforeSecrets(value);
  return isSecretName(name) && value !== null && value !== undefined ? REDACTED : value;
}
