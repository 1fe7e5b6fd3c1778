import { Logger } from '@nestjs/common';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
  Usage,
} from 'nestjs-agent-tools';
import type { ChatModelMiddleware } from '../../../libs/agent-tools/src/models/middleware/interfaces/chat-model-middleware.interface.js';

export class ChatLogger implements ChatModelMiddleware {
  private readonly logger = new Logger('Chat');

  async generate(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): Promise<ChatResponse> {
    const start = performance.now();
    const response = await next.generate(request, options);
    this.log(next, start, response.usage);
    return response;
  }

  async *stream(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): AsyncGenerator<ChatDelta> {
    const start = performance.now();
    let usage: Usage | undefined;
    for await (const delta of next.stream(request, options)) {
      if (delta.type === 'usage') usage = delta.usage;
      yield delta;
    }
    this.log(next, start, usage);
  }

  private log({ name }: ChatModel, start: number, usage: Usage | undefined): void {
    const duration = Math.round(performance.now() - start);
    this.logger.log(`${name}: ${duration} ms, ${usage?.totalTokens ?? 'unknown'} tokens`);
  }
}
