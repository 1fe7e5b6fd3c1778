import type { ToolSchemaDialects } from '../../schemas/dialects/interfaces/schema-dialect.interface.js';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import { checkChatModel } from '../wrapping/check-chat-model.js';
import { combineToolSchemas } from './combine-tool-schemas.js';
import { FallbackAttempts } from './fallback.attempts.js';
import { FallbackStream } from './fallback.stream.js';
import type { FallbackOptions } from './interfaces/fallback-options.interface.js';

/**
 * Asks the next model when one fails: with an error, with an answer of no use, with a stream that ends
 * before anything came. A stream of which a piece of text, of reasoning or of a call was handed on
 * stays with its model. If all fail, a `ModelFallbackException` has all their errors.
 *
 * ```ts
 * fallback([openai({ model: 'gpt-5-mini' }), anthropic({ model: 'claude-haiku-4-5' })]);
 * ```
 *
 * @param models The first is asked first.
 * @throws TypeError if there is no model, or one that is none
 * @publicApi
 */
export function fallback(models: readonly ChatModel[], options: FallbackOptions = {}): ChatModel {
  return new FallbackChatModel(models, options);
}

class FallbackChatModel implements ChatModel {
  readonly name: string;
  private readonly models: readonly ChatModel[];

  constructor(
    models: readonly ChatModel[],
    private readonly fallbackOptions: FallbackOptions,
  ) {
    if (!Array.isArray(models) || models.length === 0) {
      throw new TypeError(
        'fallback() was given no models. Give it a list: fallback([openai({ … }), anthropic({ … })]).',
      );
    }
    // The list stays the caller's, who may change it.
    this.models = [...models];
    this.models.forEach((model, index) => checkChatModel(model, `fallback() at [${index}]`));
    this.name = `fallback(${this.models.map(({ name }) => name).join(', ')})`;
  }

  get toolSchemas(): ToolSchemaDialects | undefined {
    return combineToolSchemas(this.models);
  }

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const attempts = new FallbackAttempts(this.models, this.fallbackOptions, options);
    for (;;) {
      try {
        const response = await attempts.model.generate(request, options);
        attempts.check(response);
        return response;
      } catch (error) {
        attempts.next(error);
      }
    }
  }

  stream(request: ChatRequest, options: ChatOptions = {}): AsyncIterable<ChatDelta> {
    const attempts = new FallbackAttempts(this.models, this.fallbackOptions, options);
    return new FallbackStream(attempts, request, options);
  }
}
