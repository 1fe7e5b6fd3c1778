import type { ChatDelta } from 'nestjs-agent-tools';
import { isText } from 'nestjs-agent-tools/model-kit';
import { toMetadata } from '../../block.metadata.js';
import type { BlockDecoder } from '../interfaces/block-decoder.interface.js';
import type { WireBlock } from '../../request/interfaces/wire-request.interface.js';

/**
 * A call of a tool that Anthropic runs itself, its result, and whatever else is not for us: kept to be
 * sent back as it is.
 */
export class OpaqueBlockDecoder implements BlockDecoder {
  private readonly json: string[] = [];
  private readonly added: Record<string, unknown> = {};
  private isWhole = true;

  constructor(
    private readonly block: WireBlock,
    private readonly part: number,
  ) {}

  start(): ChatDelta[] {
    return [];
  }

  push({ type, partial_json: json, ...fields }: Readonly<Record<string, unknown>>): ChatDelta[] {
    if (type === 'input_json_delta') {
      if (isText(json)) this.json.push(json);
    } else if (type === 'compaction_delta') Object.assign(this.added, fields);
    // Of a block that is not known to the end, nothing can be sent back.
    else this.isWhole = false;
    return [];
  }

  stop(): ChatDelta[] {
    const block = this.isWhole ? this.complete() : undefined;
    if (!block) return [];
    const { part } = this;
    return [{ type: 'reasoning', text: '', part, providerMetadata: toMetadata({ block }) }];
  }

  private complete(): WireBlock | undefined {
    const { block, added, json } = this;
    if (json.length === 0) return { ...block, ...added };
    try {
      return { ...block, ...added, input: JSON.parse(json.join('')) as unknown };
    } catch {
      return undefined;
    }
  }
}
