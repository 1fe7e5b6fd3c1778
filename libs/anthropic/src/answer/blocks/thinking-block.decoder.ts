import type { ChatDelta } from 'nestjs-agent-tools';
import { isText } from 'nestjs-agent-tools/model-kit';
import { toMetadata } from '../../block.metadata.js';
import type { BlockDecoder } from '../interfaces/block-decoder.interface.js';

export class ThinkingBlockDecoder implements BlockDecoder {
  constructor(
    private readonly block: Readonly<Record<string, unknown>>,
    private readonly part: number,
  ) {}

  start(): ChatDelta[] {
    const { type, data, thinking, signature } = this.block;
    const { part } = this;
    if (type !== 'redacted_thinking') return [...this.toText(thinking), ...this.toSign(signature)];
    if (!isText(data)) return [];
    const providerMetadata = toMetadata({ redactedData: data });
    return [{ type: 'reasoning', text: '', part, providerMetadata }];
  }

  push({ type, thinking, signature }: Readonly<Record<string, unknown>>): ChatDelta[] {
    if (type === 'thinking_delta') return this.toText(thinking);
    return type === 'signature_delta' ? this.toSign(signature) : [];
  }

  stop(): ChatDelta[] {
    return [];
  }

  private toText(text: unknown): ChatDelta[] {
    return isText(text) ? [{ type: 'reasoning', text, part: this.part }] : [];
  }

  private toSign(signature: unknown): ChatDelta[] {
    if (!isText(signature)) return [];
    const { part } = this;
    return [{ type: 'reasoning', text: '', part, providerMetadata: toMetadata({ signature }) }];
  }
}
