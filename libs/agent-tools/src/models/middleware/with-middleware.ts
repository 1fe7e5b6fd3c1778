import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import { checkChatModel } from '../wrapping/check-chat-model.js';
import { WrappedChatModel } from '../wrapping/wrapped-chat.model.js';
import type { ChatModelMiddleware } from './interfaces/chat-model-middleware.interface.js';
import { PreparedStream } from './prepared.stream.js';
import { checkMiddleware } from './check-middleware.js';

/**
 * Puts middleware around a model. The first is the outermost: it sees the request first and the answer
 * last.
 *
 * ```ts
 * withMiddleware(openai({ model: 'gpt-5-mini' }), new Redaction(), limit({ concurrency: 4 }));
 * ```
 *
 * @throws TypeError if the model or a middleware is none, or a middleware has only one of `generate`
 * and `stream`
 * @publicApi
 */
export function withMiddleware(
  model: ChatModel,
  ...middleware: readonly ChatModelMiddleware[]
): ChatModel {
  checkChatModel(model, 'withMiddleware()');
  middleware.forEach((one, index) => checkMiddleware(one, index + 1));
  return middleware.reduceRight((inner, one) => new MiddlewareChatModel(inner, one), model);
}

class MiddlewareChatModel extends WrappedChatModel implements ChatModel {
  constructor(
    model: ChatModel,
    private readonly middleware: ChatModelMiddleware,
  ) {
    super(model, 'withMiddleware()');
  }

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const { middleware, model } = this;
    const asked = middleware.request ? await this.prepare(request, options) : request;
    return middleware.generate
      ? middleware.generate(asked, options, model)
      : model.generate(asked, options);
  }

  stream(request: ChatRequest, options: ChatOptions = {}): AsyncIterable<ChatDelta> {
    const { middleware, model } = this;
    const open = (asked: ChatRequest) =>
      middleware.stream ? middleware.stream(asked, options, model) : model.stream(asked, options);
    if (!middleware.request) return open(request);
    return new PreparedStream(() => this.prepare(request, options), open);
  }

  private async prepare(request: ChatRequest, options: ChatOptions): Promise<ChatRequest> {
    const { middleware, model } = this;
    const changed = await middleware.request?.(request, options, model);
    if (Array.isArray(changed?.messages)) return changed;
    // The old one may hold what was to be taken out of it.
    throw new TypeError(
      `The \`request\` of a middleware around ${this.name} gave no request. Return the one that it was ` +
        'given, or a changed copy.',
    );
  }
}
