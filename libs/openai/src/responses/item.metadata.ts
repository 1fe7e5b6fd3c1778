import type { AssistantPart, ProviderMetadata } from 'nestjs-agent-tools';
import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import type { WireItem } from './request/interfaces/item-encoding.interface.js';

/** What is kept with a part of the item that it came from. Under the name of its server. */
export interface ItemMetadata {
  /** The place of the item in the answer. */
  readonly index?: number;
  readonly id?: string;
  /** Whether a message is commentary or the final answer; OpenAI's newer models want it back. */
  readonly phase?: string;
  readonly namespace?: string;
  /** Reasoning, or what a tool of the server did, as it came. */
  readonly item?: WireItem;
}

export function writeMetadata(provider: string, metadata: ItemMetadata): ProviderMetadata {
  return { [provider]: { ...metadata } };
}

/** It may come from a store of the application, and from any version of this library. */
export function readMetadata({ providerMetadata }: AssistantPart, provider: string): ItemMetadata {
  const values = providerMetadata?.[provider];
  if (typeof values !== 'object' || values === null) return {};
  const { index, id, phase, namespace, item } = values;
  return {
    ...(Number.isSafeInteger(index) && { index: index as number }),
    ...(isText(id) && { id }),
    ...(isText(phase) && { phase }),
    ...(isText(namespace) && { namespace }),
    ...(isRecord(item) && { item }),
  };
}
