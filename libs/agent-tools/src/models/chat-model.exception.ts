import { IntrinsicException } from '@nestjs/common';

/**
 * What is known about a failed request to a model.
 *
 * @publicApi
 */
export interface ChatModelExceptionOptions {
  /** HTTP status of the provider's answer, if there was one. */
  readonly status?: number;
  /** The provider's own code, such as `rate_limit_exceeded`. */
  readonly code?: string;
  /** Whether the same request may succeed later (429, 5xx, a network failure). @default false */
  readonly retryable?: boolean;
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/**
 * A request to a language model failed. The message names the model, the status and the provider's
 * text, with credentials redacted; it is meant for logs, not for end users.
 *
 * @publicApi
 */
export class ChatModelException extends IntrinsicException {
  readonly status?: number;
  readonly code?: string;
  readonly retryable: boolean;
  readonly retryAfter?: number;

  constructor(message: string, options: ChatModelExceptionOptions = {}) {
    super(message);
    this.name = 'ChatModelException';
    if ('cause' in options) this.cause = options.cause;
    this.status = options.status;
    this.code = options.code;
    this.retryable = options.retryable ?? false;
    this.retryAfter = options.retryAfter;
  }
}
