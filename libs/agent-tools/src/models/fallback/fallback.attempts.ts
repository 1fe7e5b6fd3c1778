import { isSendable } from '../history/assistant-content.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import { addUsage } from '../answers/usage.js';
import type {
  ChatModel,
  ChatOptions,
  ChatResponse,
  Usage,
} from '../interfaces/chat-model.interface.js';
import type { FallbackOptions } from './interfaces/fallback-options.interface.js';
import {
  ModelFallbackException,
  type FailedModel,
} from '../exceptions/model-fallback.exception.js';

/** The models that one request is put to, one after the other. */
export class FallbackAttempts {
  private readonly failed: FailedModel[] = [];
  private spent?: Usage;

  constructor(
    private readonly models: readonly ChatModel[],
    private readonly options: FallbackOptions,
    private readonly chatOptions: ChatOptions,
    private readonly check: () => void,
  ) {}

  /** The one to ask now. @throws what `check` throws */
  get model(): ChatModel {
    this.chatOptions.signal?.throwIfAborted();
    this.check();
    return this.models[this.failed.length];
  }

  /** Whether answers of no use have cost something. */
  get hasSpent(): boolean {
    return this.spent !== undefined;
  }

  /** The tokens of an answer together with those of the answers that were of no use. */
  totalUsage(usage: Usage): Usage;
  totalUsage(usage: Usage | undefined): Usage | undefined;
  totalUsage(usage: Usage | undefined): Usage | undefined {
    return addUsage(this.spent, usage);
  }

  /**
   * Its tokens are counted, as they are paid for.
   *
   * @throws ChatModelException if the answer is of no use
   */
  checkAnswer(response: ChatResponse): void {
    try {
      this.refuseUseless(response);
    } catch (error) {
      this.spent = addUsage(this.spent, response.usage);
      throw error;
    }
  }

  private refuseUseless(response: ChatResponse): void {
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
