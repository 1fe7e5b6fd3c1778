import type { AssistantMessage, ReasoningPart, TextPart } from 'nestjs-agent-tools';
import { readMetadata } from '../block.metadata.js';
import type { WireBlock } from './interfaces/wire-request.interface.js';
import { encodeToolUse } from './tool-use.encoder.js';

/** Empty for a message of which nothing is left once foreign reasoning is gone. */
export function encodeAssistant(
  { content }: AssistantMessage,
  toolNames: ReadonlySet<string>,
): WireBlock[] {
  const blocks: WireBlock[] = [];
  const calls: WireBlock[] = [];
  for (const part of content) {
    if (part.type === 'tool-call') calls.push(encodeToolUse(part, toolNames));
    else blocks.push(...(part.type === 'text' ? encodeText(part) : encodeReasoning(part)));
  }
  blocks.push(...calls);
  // A message must not end in the middle of the model's thoughts.
  while (isThinking(blocks.at(-1))) blocks.pop();
  return blocks;
}

export function isThinking(block: WireBlock | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

function encodeText({ text, providerMetadata }: TextPart): WireBlock[] {
  if (text.trim() === '') return [];
  const { citations } = readMetadata(providerMetadata);
  return [{ type: 'text', text, ...(citations && { citations }) }];
}

/** Reasoning of another provider, or cut off before its signature, would be refused. */
function encodeReasoning({ text, providerMetadata }: ReasoningPart): WireBlock[] {
  const { signature, redactedData, block } = readMetadata(providerMetadata);
  if (block) return [block];
  if (redactedData) return [{ type: 'redacted_thinking', data: redactedData }];
  return signature ? [{ type: 'thinking', thinking: text, signature }] : [];
}
