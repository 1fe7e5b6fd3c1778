import type { ProviderMetadata } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import type { ProviderOptions, SdkPart } from './interfaces/sdk-call.interface.js';

const KEY = 'ai-sdk';

/** What is kept with a part of an answer, so that it can go back as it came. */
export interface PartMetadata {
  /** Whose part it is, since no other provider can read its values. */
  readonly provider?: string;
  /** Pieces of one message with the same number are one part, though others came between. */
  readonly part?: number;
  /** The provider's own values: signatures, ids of items. */
  readonly options?: ProviderOptions;
  /** A part that is nothing to anybody but the provider. */
  readonly opaque?: SdkPart;
}

export function toMetadata(metadata: PartMetadata): ProviderMetadata {
  return { [KEY]: { ...metadata } };
}

/**
 * What was kept, if the part came from this provider through this adapter. It may come from a store, so
 * its form is checked again.
 */
export function readMetadata(
  { providerMetadata }: { readonly providerMetadata?: ProviderMetadata },
  provider: string,
): PartMetadata | undefined {
  const kept: unknown = providerMetadata?.[KEY];
  if (!isRecord(kept)) return undefined;
  // Without a provider the application itself has put options there.
  if (kept.provider !== undefined && kept.provider !== provider) return undefined;
  return {
    provider: kept.provider,
    part: typeof kept.part === 'number' ? kept.part : undefined,
    options: isRecord(kept.options) ? kept.options : undefined,
    opaque: isOpaque(kept.opaque) ? kept.opaque : undefined,
  };
}

/** The options of a part for its provider, as fields to spread. */
export function optionsOf(
  part: { readonly providerMetadata?: ProviderMetadata },
  provider: string,
): { readonly providerOptions?: ProviderOptions } {
  const options = readMetadata(part, provider)?.options;
  return options ? { providerOptions: options } : {};
}

const OPAQUE = new Set<unknown>(['tool-call', 'tool-result', 'custom']);

function isOpaque(value: unknown): value is SdkPart {
  return isRecord(value) && OPAQUE.has(value.type);
}
