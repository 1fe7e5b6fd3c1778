import type { ChatDelta } from 'nestjs-agent-tools';
import { isText } from 'nestjs-agent-tools/model-kit';
import { toMetadata } from '../../block.metadata.js';
import type { BlockDecoder } from '../interfaces/block-decoder.interface.js';

export class TextBlockDecoder implements BlockDecoder {
  private readonly citations: unknown[] = [];

  constructor(
    private readonly block: Readonly<Record<string, unknown>>,
    private readonly part: number,
  ) {
    if (Array.isArray(block.citations)) this.citations.push(...(block.citations as unknown[]));
  }

  start(): ChatDelta[] {
    return this.toDeltas(this.block.text);
  }

  push({ type, text, citation }: Readonly<Record<string, unknown>>): ChatDelta[] {
    if (type === 'text_delta') return this.toDeltas(text);
    if (type === 'citations_delta' && citation) this.citations.push(citation);
    return [];
  }

  stop(): ChatDelta[] {
    const { citations, part } = this;
    if (citations.length === 0) return [];
    return [{ type: 'text', text: '', part, providerMetadata: toMetadata({ citations }) }];
  }

  private toDeltas(text: unknown): ChatDelta[] {
    return isText(text) ? [{ type: 'text', text, part: this.part }] : [];
  }
}
