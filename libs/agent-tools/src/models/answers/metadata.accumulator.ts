import type { ProviderMetadata } from '../interfaces/chat-message.interface.js';

/**
 * Merges the provider metadata of the pieces of one part: per provider and key, a later value
 * replaces an earlier one. It changes its own copy only, so that the cost stays linear.
 */
export class MetadataAccumulator {
  private merged?: Record<string, Record<string, unknown>>;

  add(metadata: ProviderMetadata | undefined): void {
    if (!metadata) return;
    // Without a prototype: its keys come from providers and stores, and may be `constructor`.
    this.merged ??= Object.create(null) as Record<string, Record<string, unknown>>;
    for (const [provider, values] of Object.entries(metadata)) {
      this.merged[provider] = Object.assign(this.merged[provider] ?? {}, values);
    }
  }

  value(): ProviderMetadata | undefined {
    return this.merged;
  }
}
