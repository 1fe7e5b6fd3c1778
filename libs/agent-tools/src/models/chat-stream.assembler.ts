import type {
  AssistantPart,
  ProviderMetadata,
  ReasoningPart,
  TextPart,
} from './interfaces/chat-message.interface.js';
import type {
  ChatDelta,
  ChatResponse,
  FinishReason,
  Usage,
} from './interfaces/chat-model.interface.js';
import { ChatStreamException } from './chat-stream.exception.js';
import { MetadataAccumulator } from './metadata.accumulator.js';
import { ToolCallAssembler } from './tool-call.assembler.js';

interface OpenPart {
  readonly type: 'text' | 'reasoning';
  text: string;
  readonly metadata: MetadataAccumulator;
}

/**
 * Puts the pieces of a streamed answer together. Text and reasoning keep their order of arrival,
 * neighbours of one type become one part, and the calls come last. Nothing is final before
 * `finish()`: a prefix of a call's arguments can look complete.
 *
 * @publicApi
 */
export class ChatStreamAssembler {
  private readonly parts: OpenPart[] = [];
  private readonly calls = new ToolCallAssembler();
  private usage?: Usage;
  private finishReason?: FinishReason;

  push(delta: ChatDelta): void {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
        this.pushText(delta.type, delta.text, delta.providerMetadata);
        break;
      case 'tool-call':
        this.calls.push(delta);
        break;
      case 'usage':
        this.usage = delta.usage;
        break;
      case 'finish':
        this.pushFinish(delta.reason);
        break;
    }
  }

  /**
   * The whole answer.
   *
   * @throws ChatStreamException if no `finish` piece came.
   */
  finish(): ChatResponse {
    const { finishReason, usage } = this;
    if (!finishReason) throw new ChatStreamException(this.partial());
    return {
      content: [...this.partial(), ...this.calls.finish()],
      finishReason,
      ...(usage && { usage }),
    };
  }

  /** Text and reasoning so far, for a stream that failed. */
  partial(): AssistantPart[] {
    return this.parts.map(({ type, text, metadata }): TextPart | ReasoningPart => {
      const providerMetadata = metadata.value();
      return { type, text, ...(providerMetadata && { providerMetadata }) };
    });
  }

  private pushText(type: OpenPart['type'], text: string, metadata?: ProviderMetadata): void {
    if (text === '' && !metadata) return;
    let part = this.parts.at(-1);
    if (part?.type !== type) {
      part = { type, text: '', metadata: new MetadataAccumulator() };
      this.parts.push(part);
    }
    part.text += text;
    part.metadata.add(metadata);
  }

  private pushFinish(reason: FinishReason): void {
    // Some gateways close every stream with a `stop` of their own; it must not hide the `length`
    // or `tool-calls` of the model.
    if (reason !== 'stop' || !this.finishReason) this.finishReason = reason;
  }
}
