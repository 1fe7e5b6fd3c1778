import type {
  AssistantPart,
  ReasoningPart,
  TextPart,
} from '../interfaces/chat-message.interface.js';
import type {
  ChatDelta,
  ChatResponse,
  FinishReason,
  Usage,
} from '../interfaces/chat-model.interface.js';
import { ChatStreamException } from '../exceptions/chat-stream.exception.js';
import { MetadataAccumulator } from './metadata.accumulator.js';
import { worseFinish } from './worse-finish.js';
import { ToolCallAssembler } from './tool-call.assembler.js';

type TextDelta = Extract<ChatDelta, { type: 'text' | 'reasoning' }>;

interface OpenPart {
  readonly type: 'text' | 'reasoning';
  readonly part?: number;
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
  private parts: OpenPart[] = [];
  private calls = new ToolCallAssembler();
  private usage?: Usage;
  private finishReason?: FinishReason;

  push(delta: ChatDelta): void {
    switch (delta.type) {
      case 'text':
      case 'reasoning':
        this.pushText(delta);
        break;
      case 'tool-call':
        this.calls.push(delta);
        break;
      case 'usage':
        this.usage = delta.usage;
        break;
      case 'finish':
        this.finishReason = worseFinish(this.finishReason, delta.reason);
        break;
      case 'restart':
        this.parts = [];
        this.calls = new ToolCallAssembler();
        this.usage = undefined;
        this.finishReason = undefined;
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

  private pushText({ type, text, part, providerMetadata }: TextDelta): void {
    if (text === '' && !providerMetadata) return;
    let open = this.parts.at(-1);
    if (open?.type !== type || open.part !== part) {
      open = { type, part, text: '', metadata: new MetadataAccumulator() };
      this.parts.push(open);
    }
    open.text += text;
    open.metadata.add(providerMetadata);
  }
}
