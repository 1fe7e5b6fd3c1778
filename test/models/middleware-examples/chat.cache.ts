import {
  ChatStreamAssembler,
  type ChatDelta,
  type ChatModel,
  type ChatOptions,
  type ChatRequest,
  type ChatResponse,
} from 'nestjs-agent-tools';
import type { ChatModelMiddleware } from '../../../libs/agent-tools/src/models/middleware/interfaces/chat-model-middleware.interface.js';

export class ChatCache implements ChatModelMiddleware {
  private readonly answers = new Map<string, ChatResponse>();

  async generate(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): Promise<ChatResponse> {
    const key = this.keyOf(request, next);
    return this.answers.get(key) ?? this.keep(key, await next.generate(request, options));
  }

  async *stream(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): AsyncGenerator<ChatDelta> {
    const key = this.keyOf(request, next);
    const known = this.answers.get(key);
    if (known) {
      // Parts are kept apart by their number, as they were.
      yield* known.content.map((part, index): ChatDelta =>
        part.type === 'tool-call' ? { ...part, index } : { ...part, part: index },
      );
      if (known.usage) yield { type: 'usage', usage: known.usage };
      yield { type: 'finish', reason: known.finishReason };
      return;
    }
    const assembler = new ChatStreamAssembler();
    for await (const delta of next.stream(request, options)) {
      assembler.push(delta);
      yield delta;
    }
    this.keep(key, assembler.finish());
  }

  /** Two models with one cache must not answer for each other. */
  private keyOf({ messages, tools, toolChoice, settings }: ChatRequest, model: ChatModel): string {
    const others = { ...settings, apiKey: undefined, headers: undefined };
    return JSON.stringify([model.name, messages, tools, toolChoice, others]);
  }

  private keep(key: string, response: ChatResponse): ChatResponse {
    const { finishReason } = response;
    if (finishReason === 'stop' || finishReason === 'tool-calls') this.answers.set(key, response);
    return response;
  }
}
