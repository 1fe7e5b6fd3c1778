import { IntrinsicException } from '@nestjs/common';

/**
 * Thrown by a tool when it could not do what was asked and a second try will not help. The model
 * reads the message.
 *
 * @publicApi
 */
export class ToolFailedException extends IntrinsicException {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message);
    this.name = 'ToolFailedException';
    if ('cause' in options) this.cause = options.cause;
  }
}
