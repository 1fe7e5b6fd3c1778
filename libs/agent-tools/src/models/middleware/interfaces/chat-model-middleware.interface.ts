import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../../interfaces/chat-model.interface.js';

/**
 * Stands around a chat model and may change what goes in and what comes out. All methods are called on
 * the object itself. `next` is what is inside: the next middleware, or the model. It may be asked
 * once, several times or not at all, and with another request; the `options` are to be handed on.
 *
 * A middleware has both `generate` and `stream`, or neither: runs that are observed stream, others do
 * not, and it would be skipped by the one that it lacks.
 *
 * @publicApi
 */
export interface ChatModelMiddleware {
  /** Changes a request, for both ways. What is given must be copied, not changed. */
  request?(
    request: ChatRequest,
    options: ChatOptions,
    next: ChatModel,
  ): ChatRequest | Promise<ChatRequest>;
  /** Gives a whole answer, as a rule that of `next.generate(request, options)`. */
  generate?(request: ChatRequest, options: ChatOptions, next: ChatModel): Promise<ChatResponse>;
  /** Gives the pieces of an answer, as a rule those of `next.stream(request, options)`. */
  stream?(request: ChatRequest, options: ChatOptions, next: ChatModel): AsyncIterable<ChatDelta>;
}
