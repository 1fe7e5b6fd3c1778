import { IntrinsicException } from '@nestjs/common';

/**
 * What is known about a failed request to a model.
 *
 * @publicApi
 */
export interface ChatModelExceptionOptions {
  /** Who was asked: `openai`, `groq`, `anthropic` … */
  readonly provider?: string;
  /** HTTP status of the provider's answer, if there was one. */
  readonly status?: number;
  /** The provider's own code, such as `rate_limit_exceeded`. */
  readonly code?: string;
  /** The text of the provider's answer, up to 4,000 characters, without credentials. */
  readonly body?: string;
  /** The provider's own id of the request, for its support. */
  readonly requestId?: string;
  /** Whether the same request may succeed later (408, 409, 429, 5xx, a failure of the network). @default false */
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
  readonly provider?: string;
  readonly status?: number;
  readonly code?: string;
  readonly body?: string;
  readonly requestId?: string;
  readonly retryable: boolean;
  readonly retryAfter?: number;

  constructor(message: string, options: ChatModelExceptionOptions = {}) {
    super(message);
    this.name = 'ChatModelException';
    if ('cause' in options) this.cause = options.cause;
    this.provider = options.provider;
    this.status = options.status;
    this.code = options.code;
    this.body = options.body;
    this.requestId = options.requestId;
    this.retryable = options.retryable ?? false;
    this.retryAfter = options.retryAfter;
  }
}
