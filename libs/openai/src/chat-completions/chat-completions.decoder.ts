import type { ChatDecoder, ChatDelta, FinishReason } from 'nestjs-agent-tools';
import { chooseComplete, isComplete } from './complete-choice.js';
import { decodeFinishReason } from './finish-reason.decoder.js';
import type {
  WireChoice,
  WireCompletion,
  WireMessage,
} from './interfaces/chat-completions.interface.js';
import { decodeCalls, decodeContent, decodeReasoning } from './message.decoder.js';
import { ReasoningDetailsAccumulator } from './reasoning-details.accumulator.js';
import { decodeUsage } from './usage.decoder.js';

/**
 * Decodes the chunks of one streamed answer, or one complete answer. The finish comes last, from
 * `end()`, as the usage may follow the chunk that has the finish reason.
 */
export class ChatCompletionsDecoder implements ChatDecoder {
  private readonly details = new ReasoningDetailsAccumulator();
  private finish?: FinishReason;
  private choice?: number;
  private hasCalls = false;
  private refused = false;
  private complete = false;

  decode(event: unknown): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    if (!isObject(event)) return deltas;
    const chunk: WireCompletion = event;
    const choice = this.choose(chunk.choices);
    const usage = decodeUsage(chunk);
    if (choice) this.pushChoice(choice, deltas);
    if (usage) deltas.push({ type: 'usage', usage });
    // The usage after all choices is only sent when the answer is complete.
    this.complete = choice ? isComplete(choice) : usage !== undefined && this.choice !== undefined;
    return deltas;
  }

  /**
   * @param done Whether the server itself said that this was all. An answer without a finish reason
   * (Snowflake never gives one) is complete only if it did, and sent the usage before or all in one.
   */
  end(done: boolean): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    this.pushDetails(deltas);
    const derived = done && this.complete ? (this.hasCalls ? 'tool-calls' : 'stop') : undefined;
    const reason = this.finish ?? derived;
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

  private choose(choices: WireCompletion['choices']): WireChoice | undefined {
    if (!Array.isArray(choices)) return undefined;
    const list = (choices as readonly (WireChoice | null)[]).filter((choice) => choice !== null);
    const choice = list.some(isComplete) ? chooseComplete(list) : this.chooseChunk(list);
    if (choice) this.choice ??= choice.index ?? 0;
    return choice;
  }

  /** A body that asks for several choices gets pieces of all of them, in any order. */
  private chooseChunk(choices: readonly WireChoice[]): WireChoice | undefined {
    return choices.find(({ index }) => (index ?? this.choice ?? 0) === (this.choice ?? index ?? 0));
  }

  private pushChoice(choice: WireChoice, deltas: ChatDelta[]): void {
    const message = choice.delta ?? choice.message;
    if (message) this.pushMessage(message, deltas);
    const reason = decodeFinishReason(choice.finish_reason);
    // A `stop` of a gateway after the model's own reason says nothing.
    if (reason && (reason !== 'stop' || !this.finish)) this.finish = reason;
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
    for (const call of decodeCalls(message)) {
      this.hasCalls = true;
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
