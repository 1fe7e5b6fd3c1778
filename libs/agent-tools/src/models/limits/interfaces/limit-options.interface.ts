/**
 * How much may be asked of a model. Give one of them at least.
 *
 * @publicApi
 */
export interface LimitOptions {
  /** Requests at the same time; a stream counts until it ends or is left. @default no limit */
  readonly concurrency?: number;
  /** Requests that begin in any span of 60 seconds. @default no limit */
  readonly requestsPerMinute?: number;
  /**
   * Tokens of the requests that begin in any span of 60 seconds. Beforehand, a request counts with an
   * estimate: a token for four characters of its messages and tools, and `settings.maxTokens` of the
   * request. Afterwards it counts with the usage that the model gives. One that is estimated at more
   * than the limit is sent when nothing else counts.
   *
   * @default no limit
   */
  readonly tokensPerMinute?: number;
}
