import type { AssistantPart, ProviderMetadata } from 'nestjs-agent-tools';
import type { WholeProfile } from '../profiles/profile.finder.js';

/** What only the server that sent it understands, and wants back as it came. */
export interface ServerMetadata {
  /** Google's, of a call. */
  readonly extra_content?: unknown;
  /** OpenRouter's, of reasoning. */
  readonly reasoning_details?: unknown;
}

export function writeMetadata(key: string, metadata: ServerMetadata): ProviderMetadata {
  return { [key]: { ...metadata } };
}

/** It may come from a store of the application. */
export function readMetadata(
  { providerMetadata }: AssistantPart,
  { metadataKey }: WholeProfile,
): ServerMetadata {
  return providerMetadata?.[metadataKey] ?? {};
}

/** Whether another provider has left its mark on a part, and this one has not. */
export function isForeign(
  { providerMetadata }: AssistantPart,
  { metadataKey }: WholeProfile,
): boolean {
  const keys = Object.keys(providerMetadata ?? {});
  return keys.length > 0 && !keys.includes(metadataKey);
}
