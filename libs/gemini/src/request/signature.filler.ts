import { isFromGemini3 } from '../profile/model-traits.js';
import type {
  ContentEncoding,
  WireRequestContent,
  WireRequestPart,
} from './interfaces/content-encoding.interface.js';

/** Google's own word for calls that no model of theirs has made. */
const SKIP = 'skip_thought_signature_validator';

/**
 * From Gemini 3 on, the first call of each step of the current turn must have a signature. The
 * current turn begins after the last content of the user without results of tools.
 *
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function withSignatures(
  contents: WireRequestContent[],
  { model, onUnsigned }: ContentEncoding,
): WireRequestContent[] {
  if (!isFromGemini3(model)) return contents;
  const start = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts.some((part) => part.functionResponse),
  );
  return contents.map((content, index) => {
    if (index < start || content.role !== 'model') return content;
    const first = content.parts.findIndex((part) => part.functionCall);
    const call = content.parts[first];
    if (!call || call.thoughtSignature) return content;
    onUnsigned();
    const signed: WireRequestPart = { ...call, thoughtSignature: SKIP };
    return { ...content, parts: content.parts.with(first, signed) };
  });
}
