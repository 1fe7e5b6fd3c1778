import type { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatOptions } from '../interfaces/chat-model.interface.js';
import type { ChatRetryPolicy } from '../interfaces/chat-retry-policy.interface.js';
import { sleep } from '../../utils/sleep.js';
import { retryDelay } from './retry-delay.js';

const MAX_RETRIES = 2;

/** The repetitions of one request. */
export class Retries {
  private failed = 0;

  constructor(
    private readonly model: string,
    private readonly policy: ChatRetryPolicy,
    private readonly options: ChatOptions,
  ) {}

  /**
   * Waits until the request may be made again. Resolves to false at once if it must not be.
   *
   * @param restarted Whether the consumer has pieces of an answer.
   * @param leftEarly Ends the wait, too.
   * @throws The reason of a signal that has aborted, or aborts meanwhile.
   */
  async again(error: unknown, restarted: boolean, leftEarly?: AbortSignal): Promise<boolean> {
    const { maxRetries = MAX_RETRIES } = this.policy;
    const { signal, onRetry } = this.options;
    signal?.throwIfAborted();
    if (this.failed >= maxRetries) return false;
    const delay = retryDelay(error, this.failed, this.policy);
    if (delay === undefined) return false;
    const attempt = ++this.failed;
    const { model } = this;
    onRetry?.({ model, error: error as ChatModelException, attempt, delay, restarted });
    await sleep(delay, signal, leftEarly);
    return true;
  }
}
