import type { ReasoningPart, TextPart } from 'nestjs-agent-tools';
import type { LangChainBlock } from '../interfaces/langchain-model.interface.js';
import { isEmpty, textIn, type Fields } from '../values.js';

/** A text or reasoning part as a block of content; none if it would say nothing. */
export function encodeBlock(part: TextPart | ReasoningPart, block: Fields): LangChainBlock[] {
  if (part.type === 'reasoning') return encodeReasoning(part.text, block);
  const type = textIn(block.type) ?? 'text';
  if (type !== 'text') return [{ ...block, type }];
  return part.text === '' ? [] : [{ ...block, type, text: part.text }];
}

/**
 * Reasoning without a signature (of another kind of model, or cut off) is refused by those that want it
 * back, and of no use to the others.
 */
function encodeReasoning(text: string, { type, ...extras }: Fields): LangChainBlock[] {
  if (typeof type !== 'string' || Object.values(extras).every(isEmpty)) return [];
  if (type !== 'reasoning_content') {
    const field = type === 'thinking' ? 'thinking' : 'reasoning';
    return [{ type, ...extras, [field]: text }];
  }
  const { reasoningText, ...others } = extras as { readonly reasoningText?: Fields };
  return [{ type, ...others, ...(text && { reasoningText: { ...reasoningText, text } }) }];
}
