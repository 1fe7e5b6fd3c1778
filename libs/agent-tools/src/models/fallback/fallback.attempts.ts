import { isSendable } from '../history/assistant-content.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatModel, ChatOptions, ChatResponse } from '../interfaces/chat-model.interface.js';
import type { FallbackOptions } from './interfaces/fallback-options.interface.js';
import {
  ModelFallbackException,
  type FailedModel,
} from '../exceptions/model-fallback.exception.js';

/** The models that one request is put to, one after the other. */
export class FallbackAttempts {
  private readonly failed: FailedModel[] = [];

  constructor(
    private readonly models: readonly ChatModel[],
    private readonly options: FallbackOptions,
    private readonly chatOptions: ChatOptions,
  ) {}

  /** The one to ask now. */
  get model(): ChatModel {
    this.chatOptions.signal?.throwIfAborted();
    return this.models[this.failed.length];
  }

  /** @throws ChatModelException if the answer is of no use */
  check(response: ChatResponse): void {
    const { finishReason, content } = response;
    if (finishReason === 'error') throw this.useless('that ended with an error', true);
    if (!isSendable(content)) {
      throw this.useless(`with neither text nor calls (finish "${finishReason}")`, true);
    }
    if (this.options.unusable?.(response)) throw this.useless('that `unusable` refused', false);
  }

  /**
   * Goes on to the next model.
   *
   * @throws ModelFallbackException if there is none
   * @throws The error if it is none after which another model may be asked; the reason of an abort.
   */
  next(error: unknown): void {
    this.chatOptions.signal?.throwIfAborted();
    if (!(error instanceof ChatModelException)) throw error;
    if (this.options.when && !this.options.when(error)) throw error;
    this.failed.push({ model: this.models[this.failed.length].name, error });
    const attempt = this.failed.length;
    if (attempt === this.models.length) throw new ModelFallbackException(this.failed);
    const model = this.models[attempt].name;
    this.chatOptions.onRetry?.({ model, error, attempt, delay: 0, restarted: false });
  }

  private useless(what: string, retryable: boolean): ChatModelException {
    const { name } = this.models[this.failed.length];
    return new ChatModelException(`${name} gave an answer ${what}.`, { retryable });
  }
}
