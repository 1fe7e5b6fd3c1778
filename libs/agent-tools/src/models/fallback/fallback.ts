import type { ToolSchemaDialects } from '../../schemas/dialects/interfaces/schema-dialect.interface.js';
import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import { checkOptionNames } from '../../utils/check-option-names.js';
import { checkChatModel } from '../wrapping/check-chat-model.js';
import { checkOwnCredentials } from './check-own-credentials.js';
import { combineToolSchemas } from './combine-tool-schemas.js';
import { FallbackAttempts } from './fallback.attempts.js';
import { FallbackStream } from './fallback.stream.js';
import type { FallbackOptions } from './interfaces/fallback-options.interface.js';

const OPTION_NAMES = ['when', 'unusable'] as const satisfies (keyof FallbackOptions)[];

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
    checkOptionNames('fallback()', fallbackOptions, OPTION_NAMES);
    for (const option of OPTION_NAMES) {
      const value: unknown = fallbackOptions[option];
      if (value === undefined || typeof value === 'function') continue;
      throw new TypeError(`The \`${option}\` of fallback() must be a function.`);
    }
    // The list stays the caller's, who may change it.
    this.models = [...models];
    this.models.forEach((model, index) => checkChatModel(model, `fallback() at [${index}]`));
    this.name = `fallback(${this.models.map(({ name }) => name).join(', ')})`;
  }

  get server(): string | undefined {
    const servers = new Set(this.models.map((model) => model.server));
    return servers.size === 1 ? this.models[0].server : undefined;
  }

  get toolSchemas(): ToolSchemaDialects | undefined {
    return combineToolSchemas(this.models);
  }

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const attempts = this.begin(request, options);
    for (;;) {
      try {
        const response = await attempts.model.generate(request, options);
        attempts.checkAnswer(response);
        return { ...response, usage: attempts.totalUsage(response.usage) };
      } catch (error) {
        attempts.next(error);
      }
    }
  }

  stream(request: ChatRequest, options: ChatOptions = {}): AsyncIterable<ChatDelta> {
    return new FallbackStream(this.begin(request, options), request, options);
  }

  private begin(request: ChatRequest, options: ChatOptions): FallbackAttempts {
    const { models, fallbackOptions } = this;
    // When it is asked, as a stream does nothing before it is read.
    const check = () => checkOwnCredentials(this, request);
    return new FallbackAttempts(models, fallbackOptions, options, check);
  }
}
