import { ChatModelException, type ChatDelta, type FinishReason } from 'nestjs-agent-tools';
import { worseFinish, type ChatDecoder } from 'nestjs-agent-tools/model-kit';
import { areObjects } from './are-objects.js';
import { ChoicePicker } from './choice.picker.js';
import { isComplete, withIndexes } from './complete-choice.js';
import { decodeFinishReason } from './finish-reason.decoder.js';
import type {
  WireChoice,
  WireCompletion,
  WireMessage,
} from './interfaces/chat-completions.interface.js';
import { decodeCalls, decodeContent, decodeReasoning } from './message.decoder.js';
import { ReasoningDetailsAccumulator } from './reasoning-details.accumulator.js';
import { StreamedParts } from './streamed.parts.js';
import { decodeUsage } from './usage.decoder.js';

/**
 * Decodes the chunks of one streamed answer, or one complete answer. The finish comes last, from
 * `end()`, as the usage may follow the chunk that has the finish reason.
 */
export class ChatCompletionsDecoder implements ChatDecoder {
  private readonly details: ReasoningDetailsAccumulator;
  private readonly streamed = new StreamedParts();
  private finish?: FinishReason;
  private readonly picker = new ChoicePicker();
  /** The arguments of all calls, to see whether they are whole if nothing else says so. */
  private readonly written: string[] = [];
  private hasCalls = false;
  private refused = false;
  private complete = false;

  /**
   * @param metadataKey under what it is kept what only this server understands
   * @param toException for an error within a choice
   */
  constructor(
    private readonly metadataKey: string,
    private readonly toException: (body: unknown) => ChatModelException = () =>
      new ChatModelException('The server sent an error within its answer.'),
  ) {
    this.details = new ReasoningDetailsAccumulator(metadataKey);
  }

  /** Whether no more than the usage can follow. */
  get isWhole(): boolean {
    return this.finish !== undefined;
  }

  /** @throws ChatModelException if there is an error in the choice */
  decode(event: unknown): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    if (!isObject(event)) return deltas;
    const chunk: WireCompletion = event;
    const choice = this.picker.pick(chunk.choices, this.streamed.hasAny);
    const usage = decodeUsage(chunk);
    if (choice) this.pushChoice(choice, deltas);
    if (usage) deltas.push({ type: 'usage', usage });
    // The usage after all choices is only sent when the answer is complete.
    this.complete = choice ? isComplete(choice) : usage !== undefined && this.picker.hasPicked;
    return deltas;
  }

  /**
   * @param done Whether the server itself said that this was all. An answer without a finish reason
   * (Snowflake never gives one) is complete only if it did, and sent the usage before or all in one.
   */
  end(done: boolean): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    this.pushDetails(deltas);
    const reason = this.finish ?? (done && this.complete ? this.derivedReason() : undefined);
    // Of an answer that lost something, nothing may run.
    if (this.streamed.isBroken) return deltas;
    if (reason) deltas.push({ type: 'finish', reason: this.refused ? 'content-filter' : reason });
    return deltas;
  }

  decodeWhole(body: unknown): ChatDelta[] {
    if (!isObject(body)) return [];
    const { choices }: WireCompletion = body;
    const isAnswer =
      Array.isArray(choices) && choices.some((choice: WireChoice | null) => choice?.message);
    return isAnswer ? [...this.decode(body), ...this.end(true)] : [];
  }

  private derivedReason(): FinishReason | undefined {
    if (!this.hasCalls) return 'stop';
    return areObjects(this.written.join('')) ? 'tool-calls' : undefined;
  }

  private pushChoice(choice: WireChoice, deltas: ChatDelta[]): void {
    if (choice.error) throw this.toException(choice.error);
    const { delta, message } = choice;
    if (delta) this.pushPiece(delta, deltas);
    else if (message) this.pushWhole(withIndexes(message), deltas);
    const reason = decodeFinishReason(choice.finish_reason);
    if (reason) this.finish = worseFinish(this.finish, reason);
  }

  private pushPiece(piece: WireMessage, deltas: ChatDelta[]): void {
    const before = deltas.length;
    this.pushMessage(piece, deltas);
    for (let at = before; at < deltas.length; at++) this.streamed.add(deltas[at]);
    // They are told later.
    if (this.details.isPending) this.streamed.hasReasoning = true;
  }

  /** Some servers repeat all that came in pieces. */
  private pushWhole(message: WireMessage, deltas: ChatDelta[]): void {
    if (!this.streamed.hasAny) {
      this.pushMessage(message, deltas);
      return;
    }
    this.pushDetails(deltas);
    const whole: ChatDelta[] = [];
    this.pushMessage(message, whole);
    this.pushDetails(whole);
    deltas.push(...this.streamed.missing(whole));
  }

  private pushMessage(message: WireMessage, deltas: ChatDelta[]): void {
    const reasoning = decodeReasoning(message);
    if (reasoning) deltas.push({ type: 'reasoning', text: reasoning });
    if (Array.isArray(message.reasoning_details)) this.details.add(message.reasoning_details);
    const { content, refusal } = message;
    if (typeof content === 'string') this.pushText(content, deltas);
    else if (Array.isArray(content)) deltas.push(...decodeContent(content));
    if (typeof refusal === 'string' && refusal) {
      this.refused = true;
      this.pushText(refusal, deltas);
    }
    for (const call of decodeCalls(message, this.metadataKey)) {
      this.hasCalls = true;
      if (call.type === 'tool-call' && call.arguments) this.written.push(call.arguments);
      this.pushDetails(deltas);
      deltas.push(call);
    }
  }

  private pushText(text: string, deltas: ChatDelta[]): void {
    if (!text) return;
    this.pushDetails(deltas);
    deltas.push({ type: 'text', text });
  }

  private pushDetails(deltas: ChatDelta[]): void {
    const providerMetadata = this.details.take();
    if (providerMetadata) deltas.push({ type: 'reasoning', text: '', providerMetadata });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
