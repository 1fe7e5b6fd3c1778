import { IntrinsicException } from '@nestjs/common';
import { errorMessage } from '../utils/error-message.js';

/**
 * An exception filter crashed while it handled the error of a tool call, as filters written for HTTP
 * do when they reach for the response. The original error is the `cause` and decides the outcome.
 *
 * @publicApi
 */
export class ToolFilterException extends IntrinsicException {
  constructor(
    readonly filterName: string,
    readonly crash: unknown,
    cause: unknown,
  ) {
    super(
      `Exception filter "${filterName}" crashed in a tool call (${errorMessage(crash)}). A tool call has ` +
        'no HTTP response: let the filter return early with `if (isToolContext(host)) throw exception;`.',
    );
    this.name = 'ToolFilterException';
    this.cause = cause;
  }
}
