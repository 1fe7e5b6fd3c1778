import type { ChatDelta } from 'nestjs-agent-tools';
import { isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { toMetadata } from '../../block.metadata.js';
import type { BlockDecoder } from '../interfaces/block-decoder.interface.js';

export class ToolUseBlockDecoder implements BlockDecoder {
  private hasPieces = false;

  constructor(
    private readonly block: Readonly<Record<string, unknown>>,
    private readonly index: number,
  ) {}

  start(): ChatDelta[] {
    const { id, name, caller } = this.block;
    const isOfServer = isRecord(caller) && caller.type !== 'direct';
    return [
      {
        type: 'tool-call',
        index: this.index,
        ...(isText(id) && { id }),
        ...(isText(name) && { name }),
        ...(isOfServer && { providerMetadata: toMetadata({ caller }) }),
      },
    ];
  }

  push({ type, partial_json: json }: Readonly<Record<string, unknown>>): ChatDelta[] {
    if (type !== 'input_json_delta' || !isText(json)) return [];
    this.hasPieces = true;
    return [{ type: 'tool-call', index: this.index, arguments: json }];
  }

  /** A stream begins the input with `{}` and sends it in pieces; a whole answer has it here. */
  stop(): ChatDelta[] {
    const { input } = this.block;
    if (this.hasPieces || input === undefined || input === null) return [];
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    return json ? [{ type: 'tool-call', index: this.index, arguments: json }] : [];
  }
}
