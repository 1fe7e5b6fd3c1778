import type { AssistantMessage, AssistantPart } from 'nestjs-agent-tools';
import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { encodeFunctionCall } from './function-call.encoder.js';
import type { ContentEncoding, WireRequestPart } from './interfaces/content-encoding.interface.js';

/** A turn of the model, each signature at the part that it came with. */
export function encodeModelParts(
  { content }: AssistantMessage,
  encoding: ContentEncoding,
): WireRequestPart[] {
  return content.flatMap((part) => {
    const encoded = encodePart(part, encoding);
    return encoded ? [encoded] : [];
  });
}

/** Reasoning without a signature is of no use to the model, or another model's. */
function encodePart(part: AssistantPart, encoding: ContentEncoding): WireRequestPart | undefined {
  const own = part.providerMetadata?.gemini;
  const signature = isText(own?.thoughtSignature)
    ? { thoughtSignature: own.thoughtSignature }
    : undefined;
  if (part.type === 'tool-call') return { ...encodeFunctionCall(part, encoding), ...signature };
  if (part.type === 'text') {
    return part.text === '' && !signature ? undefined : { text: part.text, ...signature };
  }
  if (isRecord(own?.part)) return own.part;
  return signature && { text: part.text, thought: true, ...signature };
}
