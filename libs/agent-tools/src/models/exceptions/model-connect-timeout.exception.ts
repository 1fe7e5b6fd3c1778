import type { ChatModelExceptionOptions } from './chat-model.exception.js';
import { ModelTimeoutException } from './model-timeout.exception.js';

/**
 * A model's server did not begin a streamed answer in time: `timeouts.connect`.
 *
 * @publicApi
 */
export class ModelConnectTimeoutException extends ModelTimeoutException {
  constructor(label: string, milliseconds: number, options: ChatModelExceptionOptions = {}) {
    super(
      `${label} did not begin to answer within ${milliseconds} ms. Raise \`timeouts.connect\` if it needs longer.`,
      milliseconds,
      options,
    );
    this.name = 'ModelConnectTimeoutException';
  }
}
