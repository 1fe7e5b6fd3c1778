import { IntrinsicException } from '@nestjs/common';

/**
 * Thrown by a tool when the model should call it again with other arguments. The model reads the
 * message.
 *
 * @publicApi
 */
export class ToolRetryException extends IntrinsicException {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message);
    this.name = 'ToolRetryException';
    if ('cause' in options) this.cause = options.cause;
  }
}
