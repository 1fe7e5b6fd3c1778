import type { ChatDelta } from 'nestjs-agent-tools';
import { isRecord } from 'nestjs-agent-tools/model-kit';
import { decodeFinishReason, isCutOff } from './finish-reason.decoder.js';
import { toOpaquePart } from './opaque-part.js';
import { toMetadata } from '../part.metadata.js';
import { decodeUsage } from './usage.decoder.js';

type SdkFields = Readonly<Record<string, unknown>>;

/** A part of the answer that pieces are still coming for. */
interface OpenPart {
  readonly number: number;
  /** Whether a piece said whose reasoning it is. */
  isMarked: boolean;
}

/** What the decoder tells beside the pieces. */
export interface AnswerListener {
  onWarnings(warnings: unknown): void;
  /** The exception for an error within the answer. */
  toException(error: unknown): Error;
}

const NOTHING: readonly ChatDelta[] = [];

/**
 * One answer of a model, streamed or whole, in the pieces of a chat model. Calls are only taken when they
 * are whole (`tool-call`), so the pieces of their input (`tool-input-…`) count for nothing: they would come
 * twice, and a call of which the end is missing must not run.
 */
export class AnswerDecoder {
  /** Whether nothing more is to come. */
  finished = false;

  private readonly open = new Map<string, OpenPart>();
  private parts = 0;
  private calls = 0;

  constructor(
    private readonly provider: string,
    private readonly listener: AnswerListener,
  ) {}

  /** One part of a stream. */
  decode(part: unknown): readonly ChatDelta[] {
    if (!isRecord(part)) return NOTHING;
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.decodePiece('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.decodePiece('reasoning', part);
      case 'stream-start':
        this.listener.onWarnings(part.warnings);
        return NOTHING;
      case 'error':
        throw this.listener.toException(part.error);
      case 'finish':
        this.finished = true;
        return this.decodeEnd(part, isCutOff(part.finishReason));
      default:
        return this.decodeWholePart(part);
    }
  }

  /** An answer that came at once. Nothing at all if it is none. */
  decodeWhole(answer: unknown): readonly ChatDelta[] {
    if (!isRecord(answer) || !Array.isArray(answer.content)) return NOTHING;
    this.listener.onWarnings(answer.warnings);
    const content = (answer.content as unknown[]).filter(isRecord);
    return [
      ...content.flatMap((part) => this.decodeContent(part)),
      // A whole answer without a reason is whole all the same.
      ...this.decodeEnd(answer, isInterrupted(answer.finishReason)),
    ];
  }

  private decodeContent(part: SdkFields): readonly ChatDelta[] {
    const { type, text } = part;
    if (type !== 'text' && type !== 'reasoning') return this.decodeWholePart(part);
    return this.toDeltas(type, typeof text === 'string' ? text : '', part, this.begin());
  }

  private decodePiece(type: 'text' | 'reasoning', part: SdkFields): readonly ChatDelta[] {
    const key = `${type}:${String(part.id)}`;
    const isStart = part.type === `${type}-start`;
    let open = isStart ? undefined : this.open.get(key);
    if (!open) {
      open = this.begin();
      this.open.set(key, open);
    }
    if (part.type === `${type}-end`) this.open.delete(key);
    return this.toDeltas(type, typeof part.delta === 'string' ? part.delta : '', part, open);
  }

  private begin(): OpenPart {
    return { number: this.parts++, isMarked: false };
  }

  private toDeltas(
    type: 'text' | 'reasoning',
    text: string,
    { providerMetadata }: SdkFields,
    open: OpenPart,
  ): readonly ChatDelta[] {
    const options = isRecord(providerMetadata) ? providerMetadata : undefined;
    if (text === '' && !options) return NOTHING;
    const { number } = open;
    const isMark = options !== undefined || (type === 'reasoning' && !open.isMarked);
    if (!isMark) return [{ type, text, part: number }];
    open.isMarked = true;
    const metadata = { provider: this.provider, part: number, ...(options && { options }) };
    return [{ type, text, part: number, providerMetadata: toMetadata(metadata) }];
  }

  private decodeWholePart(part: SdkFields): readonly ChatDelta[] {
    if (part.type === 'tool-call' && part.providerExecuted !== true) return [this.toCall(part)];
    if (part.type === 'tool-approval-request') {
      const message =
        'it asked for the approval of a call that it runs itself, which cannot be given';
      this.listener.onWarnings([{ type: 'other', message }]);
      return NOTHING;
    }
    const opaque = toOpaquePart(part);
    if (!opaque) return NOTHING;
    const { number } = this.begin();
    const providerMetadata = toMetadata({ provider: this.provider, part: number, opaque });
    return [{ type: 'reasoning', text: '', part: number, providerMetadata }];
  }

  private toCall({ toolCallId, toolName, input, providerMetadata }: SdkFields): ChatDelta {
    const options = isRecord(providerMetadata) ? providerMetadata : undefined;
    return {
      type: 'tool-call',
      index: this.calls++,
      id: typeof toolCallId === 'string' ? toolCallId : undefined,
      name: typeof toolName === 'string' ? toolName : undefined,
      arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
      ...(options && { providerMetadata: toMetadata({ provider: this.provider, options }) }),
    };
  }

  private decodeEnd(end: SdkFields, isCut: boolean): readonly ChatDelta[] {
    const usage = decodeUsage(end.usage, this.provider, end.providerMetadata);
    return [
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      ...(isCut
        ? NOTHING
        : [{ type: 'finish', reason: decodeFinishReason(end.finishReason) } as const]),
    ];
  }
}

function isInterrupted(reason: unknown): boolean {
  return isRecord(reason) && reason.unified === 'interrupted';
}
