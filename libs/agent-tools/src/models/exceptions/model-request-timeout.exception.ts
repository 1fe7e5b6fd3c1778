import type { ChatModelExceptionOptions } from './chat-model.exception.js';
import { ModelTimeoutException } from './model-timeout.exception.js';

/**
 * A model's whole answer did not come in time: `timeouts.request`.
 *
 * @publicApi
 */
export class ModelRequestTimeoutException extends ModelTimeoutException {
  constructor(label: string, milliseconds: number, options: ChatModelExceptionOptions = {}) {
    super(
      `${label} was not done within ${milliseconds} ms. Raise \`timeouts.request\` if it needs longer.`,
      milliseconds,
      options,
    );
    this.name = 'ModelRequestTimeoutException';
  }
}
