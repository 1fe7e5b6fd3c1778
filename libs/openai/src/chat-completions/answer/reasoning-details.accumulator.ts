import type { ProviderMetadata } from 'nestjs-agent-tools';
import type { ReasoningDetail } from './interfaces/chat-completions.interface.js';
import { writeMetadata } from '../server.metadata.js';

/**
 * Joins the pieces of OpenRouter's `reasoning_details` to the list that it wants to have back: the
 * pieces of one block become one, and a signature that comes after the text joins it.
 */
export class ReasoningDetailsAccumulator {
  private details: Record<string, unknown>[] = [];

  /** @param key under what they are kept */
  constructor(private readonly key: string) {}

  get isPending(): boolean {
    return this.details.length > 0;
  }

  add(pieces: readonly ReasoningDetail[]): void {
    for (const piece of pieces) {
      if (typeof piece !== 'object' || piece === null) continue;
      const last = this.details.at(-1);
      if (last && continues(last, piece)) append(last, piece);
      else this.details.push({ ...piece });
    }
  }

  /** The metadata of what was added since the last time, if there is anything. */
  take(): ProviderMetadata | undefined {
    const { details } = this;
    if (details.length === 0) return undefined;
    this.details = [];
    return writeMetadata(this.key, { reasoning_details: details });
  }
}

function continues(last: ReasoningDetail, piece: ReasoningDetail): boolean {
  return (
    last.type === piece.type && last.index === piece.index && last.type !== 'reasoning.encrypted'
  );
}

function append(last: Record<string, unknown>, piece: ReasoningDetail): void {
  for (const [field, value] of Object.entries(piece)) {
    const before = last[field];
    const text = field === 'text' || field === 'summary';
    if (text && typeof before === 'string' && typeof value === 'string')
      last[field] = before + value;
    else if (value !== null && value !== undefined) last[field] = value;
  }
}
