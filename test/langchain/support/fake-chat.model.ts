import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type AIMessageFields,
  type BaseMessage,
} from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';

interface CallOptions extends BaseChatModelCallOptions {
  readonly tools?: readonly BindToolsInput[];
  readonly parallel_tool_calls?: boolean;
}

export interface Asked {
  readonly messages: BaseMessage[];
  readonly options: Record<string, unknown>;
}

/** A model of LangChain that gives what a test wants, and keeps what it was asked. */
export class FakeChat extends BaseChatModel<CallOptions, AIMessageChunk> {
  readonly model = 'one';
  readonly asked: Asked[] = [];
  binds = 0;
  message: AIMessageFields = { content: 'Yes.' };
  chunks: AIMessageChunkFields[] = [];
  /** What goes wrong, or is waited for, in place of an answer, or after the chunks. */
  hook?: (signal: AbortSignal | undefined) => Promise<void>;

  constructor(private readonly type = 'fake') {
    super({});
  }

  _llmType(): string {
    return this.type;
  }

  override bindTools(tools: BindToolsInput[], options?: Partial<CallOptions>) {
    this.binds++;
    return this.withConfig({ ...options, tools });
  }

  async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
  ): Promise<ChatResult> {
    this.asked.push({ messages, options: { ...options } });
    await this.hook?.(options.signal);
    return { generations: [{ text: '', message: new AIMessage(this.message) }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    _manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    this.asked.push({ messages, options: { ...options } });
    for (const chunk of this.chunks) {
      yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk(chunk) });
    }
    await this.hook?.(options.signal);
  }
}
