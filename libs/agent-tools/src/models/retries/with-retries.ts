import type {
  ChatDelta,
  ChatModel,
  ChatOptions,
  ChatRequest,
  ChatResponse,
} from '../interfaces/chat-model.interface.js';
import type { ChatRetryPolicy } from '../interfaces/chat-retry-policy.interface.js';
import { WrappedChatModel } from '../wrapping/wrapped-chat.model.js';
import { checkRetryPolicy } from './check-retry-policy.js';
import { RetriedStream } from './retried.stream.js';
import { Retries } from './retries.js';

/**
 * Makes a model's failed requests again. The models of this package do so already (`retry`); this is
 * for those of an application, and for what stands around a model.
 *
 * ```ts
 * withRetries(new OurModel(), { maxRetries: 4 });
 * ```
 *
 * @param policy `{ maxRetries: 2 }` and so on by default.
 * @throws RangeError if a number of the policy is of no use
 * @throws TypeError if the model is none, or the policy has an option that there is not
 * @publicApi
 */
export function withRetries(model: ChatModel, policy: ChatRetryPolicy = {}): ChatModel {
  return new RetriedChatModel(model, policy);
}

class RetriedChatModel extends WrappedChatModel implements ChatModel {
  constructor(
    model: ChatModel,
    private readonly policy: ChatRetryPolicy,
  ) {
    super(model, 'withRetries()');
    checkRetryPolicy(model.name, policy);
  }

  async generate(request: ChatRequest, options: ChatOptions = {}): Promise<ChatResponse> {
    const retries = new Retries(this.name, this.policy, options);
    for (;;) {
      try {
        return await this.model.generate(request, options);
      } catch (error) {
        if (!(await retries.again(error, false))) throw error;
      }
    }
  }

  stream(request: ChatRequest, options: ChatOptions = {}): AsyncIterable<ChatDelta> {
    const { name, policy, model } = this;
    return new RetriedStream(
      () => model.stream(request, options),
      new Retries(name, policy, options),
      policy.restart ?? false,
    );
  }
}
