import type { AnswerHeaders } from '../answer-headers.js';
import type { NamedValues } from '../secrets.js';

/**
 * What is known about a failed call of a model. Everything may be as the server wrote it.
 *
 * @publicApi
 */
export interface ModelFailure {
  /** What the provider says. @default none */
  readonly message?: string;
  /** HTTP status of the answer, if there was one. */
  readonly status?: number;
  /** The provider's own code, such as `rate_limit_exceeded`. */
  readonly code?: string;
  /** The text of the answer. */
  readonly body?: string;
  /** Of the answer: ids of the request and `Retry-After` are read from them. */
  readonly headers?: AnswerHeaders;
  /** @default that of the headers */
  readonly requestId?: string;
  /** Milliseconds that the provider asked to wait, if the headers do not say so. */
  readonly retryAfter?: number;
  /** Whether the same call may succeed later. @default told by the status, else by the code and the cause */
  readonly retryable?: boolean;
  /** A sentence on what to do. @default told by the status */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/**
 * Whose exceptions a `ModelExceptionFactory` makes.
 *
 * @publicApi
 */
export interface ModelExceptionFactoryOptions {
  /** The name of the model, named first in every error, for example `acme:large`. */
  readonly label: string;
  /** @default the label up to its colon */
  readonly provider?: string;
  /**
   * Headers, or an object such as `{ apiKey }`. Texts whose name is like that of a credential never appear
   * in an error.
   *
   * @default {}
   */
  readonly secrets?: NamedValues;
  /** Where the call goes. Its password and keys never appear in an error. */
  readonly url?: string;
}
