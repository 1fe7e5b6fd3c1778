import { ChatModelException, type ChatModelExceptionOptions } from './chat-model.exception.js';

/**
 * A model took longer than one of its limits; there is a class for each. (An abort by the caller is
 * none: then the reason of its signal is thrown.)
 *
 * @publicApi
 */
export abstract class ModelTimeoutException extends ChatModelException {
  /** @param milliseconds The limit. */
  constructor(
    message: string,
    readonly milliseconds: number,
    options: ChatModelExceptionOptions = {},
  ) {
    super(message, { retryable: true, ...options });
  }
}
