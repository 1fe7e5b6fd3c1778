import type { ProviderMetadata } from 'nestjs-agent-tools';
import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import type { WireBlock } from './request/interfaces/wire-request.interface.js';

/** What the decoder keeps of Anthropic's with a part, and the encoder sends back. */
export interface BlockMetadata {
  /** Of a thinking block; without it Anthropic does not take the block back. */
  readonly signature?: string;
  /** The content of a thinking block that only Anthropic can read. */
  readonly redactedData?: string;
  /** A whole block that stands for the part, as tools leave them that Anthropic runs. */
  readonly block?: WireBlock;
  /** What a text is based on. */
  readonly citations?: readonly unknown[];
  /** Which tool of Anthropic's made the call, if it was not the model. */
  readonly caller?: object;
  /** Where code of the model ran; the next request can go on there. */
  readonly container?: string;
}

export function toMetadata(metadata: BlockMetadata): ProviderMetadata {
  return { anthropic: { ...metadata } };
}

/** A stored conversation may hold anything, so each value is checked. */
export function readMetadata(metadata: ProviderMetadata | undefined): BlockMetadata {
  const values = metadata?.anthropic;
  if (typeof values !== 'object' || values === null) return {};
  const { signature, redactedData, block, citations, caller, container } = values;
  return {
    ...(isText(signature) && { signature }),
    ...(isText(redactedData) && { redactedData }),
    ...(isBlock(block) && { block }),
    ...(Array.isArray(citations) && citations.length > 0 && { citations }),
    ...(isRecord(caller) && { caller }),
    ...(isText(container) && { container }),
  };
}

function isBlock(value: unknown): value is WireBlock {
  return isRecord(value) && isText(value.type);
}
