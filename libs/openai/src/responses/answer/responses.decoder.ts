import type { ChatDelta, ChatModelException, FinishReason } from 'nestjs-agent-tools';
import { isRecord, isText, type ChatDecoder } from 'nestjs-agent-tools/model-kit';
import type { WireEvent, WireResponse } from './interfaces/responses.interface.js';
import { OutputDecoder } from './output.decoder.js';
import { decodeUsage } from './usage.decoder.js';

/** The events that end a stream, and the status that they stand for. */
const LAST_EVENTS = new Map([
  ['response.completed', 'completed'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
  ['response.cancelled', 'cancelled'],
]);
const REASONS = new Map<unknown, FinishReason>([
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content-filter'],
]);

/** Decodes the events of one streamed answer, or one whole answer. Both take the same way. */
export class ResponsesDecoder implements ChatDecoder {
  finished = false;
  private readonly output: OutputDecoder;

  /** @param provider under whose name the items are kept that it wants back */
  constructor(
    provider: string,
    private readonly toException: (body: unknown) => ChatModelException,
  ) {
    this.output = new OutputDecoder(provider);
  }

  /** @throws ChatModelException if the event says that the answer failed */
  decode(event: unknown): ChatDelta[] {
    if (!isRecord(event)) return [];
    const { type, response, code, message }: WireEvent = event;
    if (!isText(type)) return [];
    if (type === 'error')
      throw this.toException({ code, message: message ?? 'It gave no reason.' });
    const status = LAST_EVENTS.get(type);
    if (!status) return this.output.decode(type, event);
    const last: WireResponse = isRecord(response) ? response : {};
    return this.finish(last, last.status ?? status);
  }

  /** Nothing: a stream without one of the last events was cut off, whatever came before. */
  end(): ChatDelta[] {
    return [];
  }

  /** @throws ChatModelException if the answer failed, or is not there yet */
  decodeWhole(body: unknown): ChatDelta[] {
    if (!isRecord(body)) return [];
    const { output, object, status = 'completed' }: WireResponse = body;
    if (!Array.isArray(output) && object !== 'response') return [];
    if (status === 'queued' || status === 'in_progress') {
      throw this.toException({
        code: status,
        message:
          'the answer is still being made in the background, for which this model does not wait. Leave ' +
          '`background` out of `body`.',
      });
    }
    return this.finish(body, status);
  }

  private finish(response: WireResponse, status: unknown): ChatDelta[] {
    if (status === 'failed' || status === 'cancelled') {
      const { error } = response;
      throw this.toException(
        isRecord(error) ? error : { code: status, message: `the answer was ${status}.` },
      );
    }
    if (status !== 'completed' && status !== 'incomplete') {
      throw this.toException({ code: status, message: 'the answer ended without being complete.' });
    }
    const deltas = this.output.complete(response.output);
    const usage = decodeUsage(response.usage);
    if (usage) deltas.push({ type: 'usage', usage });
    this.finished = true;
    const isCut = status === 'incomplete';
    // A call that is not whole must not run: without a finish, the answer counts as cut off.
    if (!isCut && this.output.hasOpenCalls) return deltas;
    deltas.push({ type: 'finish', reason: isCut ? reasonOf(response) : this.reason() });
    return deltas;
  }

  private reason(): FinishReason {
    if (this.output.refused) return 'content-filter';
    return this.output.hasCalls ? 'tool-calls' : 'stop';
  }
}

function reasonOf({ incomplete_details: details }: WireResponse): FinishReason {
  return (isRecord(details) && REASONS.get(details.reason)) || 'other';
}
