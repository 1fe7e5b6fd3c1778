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
   * Waits until the request may be made again.
   *
   * @param started Whether pieces of an answer have come.
   * @throws The error if the request must not be made again.
   */
  async after(error: unknown, started: boolean): Promise<void> {
    const { maxRetries = MAX_RETRIES, restart = false } = this.policy;
    const { signal, onRetry } = this.options;
    if (this.failed >= maxRetries || signal?.aborted || (started && !restart)) throw error;
    const delay = retryDelay(error, this.failed, this.policy);
    if (delay === undefined) throw error;
    const attempt = ++this.failed;
    const { model } = this;
    onRetry?.({ model, error: error as ChatModelException, attempt, delay, restarted: started });
    await sleep(delay, signal);
  }
}
