import type { ChatDelta, ChatModelException, FinishReason } from 'nestjs-agent-tools';
import { worseFinish, type ChatDecoder, isRecord, isText } from 'nestjs-agent-tools/model-kit';
import { decodeFinishReason, describeFailure } from './finish-reason.decoder.js';
import type { WireAnswer, WireCandidate } from './interfaces/generate-content.interface.js';
import { PartDecoder } from './part.decoder.js';
import { decodeUsage } from './usage.decoder.js';

/** A failure of the model in the form of Google's other errors. */
interface WireFailure {
  readonly error: { readonly status: string; readonly message: string };
}

/**
 * Decodes the pieces of one streamed answer, or one whole answer. The finish comes last, from
 * `end()`, as the usage may follow the piece that has the finish reason.
 */
export class GenerateContentDecoder implements ChatDecoder {
  private readonly parts = new PartDecoder();
  private finish?: FinishReason;
  private failure?: WireCandidate;

  constructor(private readonly toException: (body: WireFailure) => ChatModelException) {}

  /** Whether no more than the usage can follow. */
  get isWhole(): boolean {
    return this.finish !== undefined;
  }

  decode(event: unknown): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    if (!isRecord(event)) return deltas;
    const { candidates, promptFeedback, usageMetadata }: WireAnswer = event;
    const candidate = chooseCandidate(candidates);
    if (candidate) this.pushCandidate(candidate, deltas);
    if (isText(promptFeedback?.blockReason)) {
      this.finish = worseFinish(this.finish, 'content-filter');
    }
    const usage = decodeUsage(usageMetadata);
    if (usage) deltas.push({ type: 'usage', usage });
    return deltas;
  }

  /** @throws ChatModelException if the model failed, which is no answer */
  end(): ChatDelta[] {
    if (this.failure) throw this.toException(toError(this.failure));
    return this.finish ? [{ type: 'finish', reason: this.finish }] : [];
  }

  /** Some servers answer a request for a stream with a list of its pieces. */
  decodeWhole(body: unknown): ChatDelta[] {
    const pieces: unknown[] = Array.isArray(body) ? body : [body];
    if (!pieces.some(isAnswer)) return [];
    const deltas = pieces.flatMap((piece) => this.decode(piece));
    // One body is complete, even if a gateway lost the reason; a list of pieces may be cut off.
    const hasContent = deltas.some(({ type }) => type !== 'usage');
    if (!Array.isArray(body) && hasContent) this.finish ??= 'stop';
    return [...deltas, ...this.end()];
  }

  private pushCandidate(candidate: WireCandidate, deltas: ChatDelta[]): void {
    const { content, finishReason } = candidate;
    const parts: unknown[] = Array.isArray(content?.parts) ? content.parts : [];
    for (const part of parts) {
      const delta = this.parts.decode(part);
      if (delta) deltas.push(delta);
    }
    const reason = decodeFinishReason(finishReason);
    if (reason === 'error') this.failure ??= candidate;
    if (reason) this.finish = worseFinish(this.finish, reason);
  }
}

/** A body that asks for several candidates gets pieces of all of them. */
function chooseCandidate(candidates: unknown): WireCandidate | undefined {
  if (!Array.isArray(candidates)) return undefined;
  const list = (candidates as readonly unknown[]).filter(isRecord);
  return list.find(({ index }) => (index ?? 0) === 0);
}

function isAnswer(body: unknown): boolean {
  return isRecord(body) && (Array.isArray(body.candidates) || isRecord(body.promptFeedback));
}

function toError({ finishReason, finishMessage }: WireCandidate): WireFailure {
  const message = [describeFailure(finishReason), finishMessage].filter(isText).join(' ');
  return { error: { status: String(finishReason), message } };
}
