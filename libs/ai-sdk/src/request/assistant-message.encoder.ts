import type { AssistantMessage, AssistantPart } from 'nestjs-agent-tools';
import type { PromptEncoding } from './interfaces/encoding.interface.js';
import type { SdkMessage, SdkPart } from '../interfaces/sdk-call.interface.js';
import { optionsOf, readMetadata, type PartMetadata } from '../part.metadata.js';
import { encodeToolCall } from './tool-call.encoder.js';

/** A turn of the model, or nothing if none of it can be sent to this provider. */
export function encodeAssistant(
  { content }: AssistantMessage,
  encoding: PromptEncoding,
): SdkMessage[] {
  const parts = joinPieces(content, encoding.provider).flatMap((part) =>
    encodePart(part, encoding),
  );
  return parts.length > 0 ? [{ role: 'assistant', content: parts }] : [];
}

function encodePart(part: AssistantPart, encoding: PromptEncoding): SdkPart[] {
  const { provider } = encoding;
  if (part.type === 'tool-call') return [encodeToolCall(part, encoding)];
  const options = optionsOf(part, provider);
  const { type, text } = part;
  if (type === 'text') return text || options.providerOptions ? [{ type, text, ...options }] : [];
  const metadata = readMetadata(part, provider);
  if (metadata?.opaque) return [metadata.opaque];
  // Reasoning of others is refused or ignored by most providers.
  return metadata?.provider ? [{ type, text, ...options }] : [];
}

/** Puts pieces together that were one part for the provider: a signature can come after the next part. */
function joinPieces(content: readonly AssistantPart[], provider: string): AssistantPart[] {
  const joined: AssistantPart[] = [];
  const places = new Map<number, number>();
  for (const part of content) {
    const metadata = part.type === 'tool-call' ? undefined : readMetadata(part, provider);
    const place = metadata?.part === undefined ? undefined : places.get(metadata.part);
    const before = place === undefined ? undefined : joined[place];
    if (place !== undefined && before && before.type === part.type) {
      joined[place] = join(before, part, metadata);
      continue;
    }
    if (metadata?.part !== undefined) places.set(metadata.part, joined.length);
    joined.push(part);
  }
  return joined;
}

function join(
  before: AssistantPart,
  after: AssistantPart,
  metadata: PartMetadata | undefined,
): AssistantPart {
  if (before.type === 'tool-call' || after.type === 'tool-call') return before;
  return {
    ...before,
    text: before.text + after.text,
    providerMetadata: metadata?.options ? after.providerMetadata : before.providerMetadata,
  };
}
