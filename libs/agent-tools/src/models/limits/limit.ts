import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import type { ChatModelMiddleware } from '../middleware/interfaces/chat-model-middleware.interface.js';
import { checkLimitOptions } from './check-limit-options.js';
import { estimateTokens } from './estimate-tokens.js';
import type { LimitOptions } from './interfaces/limit-options.interface.js';
import { LimitedStream } from './limited.stream.js';
import { RequestQueue } from './request.queue.js';
import type { RequestTurn } from './request.turn.js';

/**
 * Holds requests back so that a model is not asked more than it takes. They wait in the order in which
 * they came; an abort ends the wait. Models that are given the same `limit()` share it.
 *
 * ```ts
 * withMiddleware(model, limit({ concurrency: 4, requestsPerMinute: 60 }));
 * ```
 *
 * @throws RangeError if there is no limit, or one that is no whole number from 1
 * @publicApi
 */
export function limit(options: LimitOptions): ChatModelMiddleware {
  return new LimitMiddleware(options);
}

class LimitMiddleware implements ChatModelMiddleware {
  private readonly queue: RequestQueue;

  constructor(options: LimitOptions) {
    checkLimitOptions(options);
    this.queue = new RequestQueue(options);
  }

  async generate(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): Promise<ChatResponse> {
    const turn = this.enter(request, options);
    const { signal } = options;
    const onAbort = (): void => turn.leaveSoon();
    try {
      await turn.ready;
      signal?.addEventListener('abort', onAbort);
      const response = await next.generate(request, options);
      turn.report(response.usage);
      return response;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      turn.leave();
    }
  }

  stream(request: ChatRequest, options: ChatOptions, next: ChatModel): AsyncIterable<ChatDelta> {
    return new LimitedStream(
      () => this.enter(request, options),
      () => next.stream(request, options),
    );
  }

  private enter(request: ChatRequest, options: ChatOptions): RequestTurn {
    const { queue } = this;
    return queue.enter(queue.countsTokens ? estimateTokens(request) : 1, options);
  }
}
