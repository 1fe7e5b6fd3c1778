import type { ChatDelta, FinishReason } from 'nestjs-agent-tools';
import { worseFinish, type ChatDecoder, isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { toMetadata } from '../block.metadata.js';
import { createBlockDecoder, createForDelta } from './blocks/block-decoder.factory.js';
import type { BlockDecoder } from './interfaces/block-decoder.interface.js';
import { decodeStopReason } from './stop-reason.decoder.js';
import { UsageAccumulator } from './usage.accumulator.js';

type Fields = Readonly<Record<string, unknown>>;

/** Decodes the events of one streamed answer, or one complete answer. */
export class AnthropicDecoder implements ChatDecoder {
  finished = false;

  private readonly blocks = new Map<number, BlockDecoder>();
  private readonly usage = new UsageAccumulator();
  private latest = -1;
  private container?: string;
  private reason?: FinishReason;
  private hasCalls = false;
  /** Whether something is lost, so that the answer must not pass for a whole one. */
  private isBroken = false;

  decode(event: unknown): ChatDelta[] {
    if (!isRecord(event)) return [];
    switch (event.type) {
      case 'message_start':
        return isRecord(event.message) ? this.update(event.message, event.message.usage) : [];
      case 'content_block_start':
        return isRecord(event.content_block) ? this.start(event.content_block, event.index) : [];
      case 'content_block_delta':
        return isRecord(event.delta) ? this.push(event.delta, event.index) : [];
      case 'content_block_stop':
        return this.stop(this.indexOf(event.index));
      case 'message_delta':
        return this.update(isRecord(event.delta) ? event.delta : {}, event.usage);
      case 'message_stop':
        return this.finish(this.reason ?? this.derivedReason());
      case 'error':
        this.isBroken = true;
        return [];
      default:
        return [];
    }
  }

  /** A server that closes its stream after the stop reason has said all that there is. */
  end(): ChatDelta[] {
    return this.reason && !this.finished ? this.finish(this.reason) : [];
  }

  decodeWhole(body: unknown): ChatDelta[] {
    if (!isRecord(body) || !Array.isArray(body.content)) return [];
    const blocks = (body.content as readonly unknown[]).flatMap((block, index) => [
      ...(isRecord(block) ? this.start(block, index) : []),
      ...this.stop(index),
    ]);
    return [...blocks, ...this.update(body, body.usage), ...this.decode({ type: 'message_stop' })];
  }

  private start(block: Fields, given: unknown): ChatDelta[] {
    const index = isIndex(given) ? given : this.latest + 1;
    const ended = this.stop(index);
    this.latest = index;
    if (block.type === 'tool_use') this.hasCalls = true;
    return [...ended, ...this.open(index, createBlockDecoder(block, index))];
  }

  private push(delta: Fields, given: unknown): ChatDelta[] {
    const index = this.indexOf(given);
    const open = this.blocks.get(index);
    if (open) return open.push(delta);
    // Arguments of a call that is over, or that never began: it must not run without them.
    if (delta.type === 'input_json_delta') this.isBroken = true;
    const begun = this.open(index, createForDelta(delta.type, index));
    return [...begun, ...(this.blocks.get(index)?.push(delta) ?? [])];
  }

  private open(index: number, block: BlockDecoder | undefined): ChatDelta[] {
    if (!block) return [];
    this.blocks.set(index, block);
    return block.start();
  }

  private stop(index: number): ChatDelta[] {
    const block = this.blocks.get(index);
    this.blocks.delete(index);
    return block?.stop() ?? [];
  }

  private update({ stop_reason: reason, container }: Fields, counts: unknown): ChatDelta[] {
    const given = decodeStopReason(reason);
    if (given) this.reason = worseFinish(this.reason, given);
    if (isRecord(container) && isText(container.id)) this.container = container.id;
    const usage = this.usage.add(counts);
    return usage ? [{ type: 'usage', usage }] : [];
  }

  private finish(reason: FinishReason): ChatDelta[] {
    const { container } = this;
    this.finished = true;
    const deltas = [...this.blocks.keys()].flatMap((index) => this.stop(index));
    if (container !== undefined) {
      const providerMetadata = toMetadata({ container });
      deltas.push({ type: 'reasoning', text: '', part: this.latest + 1, providerMetadata });
    }
    return this.isBroken ? deltas : [...deltas, { type: 'finish', reason }];
  }

  /** Gateways forget the reason; a block that is open then was cut off. */
  private derivedReason(): FinishReason {
    if (this.blocks.size > 0) this.isBroken = true;
    return this.hasCalls ? 'tool-calls' : 'stop';
  }

  private indexOf(given: unknown): number {
    return isIndex(given) ? given : this.latest;
  }
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
