/**
 * When a failed request to a model is made again: after 408, 409, 429, 5xx, a failure of the network
 * and a timeout, and for nothing else.
 *
 * @publicApi
 */
export interface ChatRetryPolicy {
  /** How often a request is repeated; 0 for never. @default 2 */
  readonly maxRetries?: number;
  /**
   * The longest wait before the first repetition, in milliseconds; it doubles with each one. How long
   * it really is, is left to chance ("full jitter"), so that not all clients come back at once.
   *
   * @default 500
   */
  readonly delay?: number;
  /** What `delay` grows to at most, in milliseconds. @default 30_000 */
  readonly maxDelay?: number;
  /**
   * The wait that a server asks for (`Retry-After`) is added to that of chance. A request for which it
   * asks more milliseconds than these is not repeated.
   *
   * @default 60_000
   */
  readonly maxRetryAfter?: number;
  /**
   * Also repeats a stream of which pieces have come. The server may have done, and bills, what it
   * did; the consumer gets a `restart` piece, which voids what it has.
   *
   * @default false
   */
  readonly restart?: boolean;
}
