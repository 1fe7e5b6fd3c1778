/**
 * How a provider library sends a request.
 *
 * @publicApi
 */
export interface HttpRequestOptions {
  /** Named first in every error, for example `openai:gpt-5-mini`. */
  readonly label: string;
  /** Sent as they are. Values of headers that look like credentials never appear in an error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request: the connection is closed and `signal.reason` is thrown. */
  readonly signal?: AbortSignal;
  /** @default the global `fetch` at the time of the request */
  readonly fetch?: typeof fetch;
  /**
   * Milliseconds until the headers of the answer, per attempt; 0 for no limit. Node's own `fetch`
   * gives up after 300,000.
   *
   * @default 60_000
   */
  readonly timeout?: number;
  /**
   * Milliseconds between two pieces of the answer's body; 0 for no limit.
   *
   * @default 60_000
   */
  readonly idleTimeout?: number;
  /**
   * How often a request is repeated after 408, 409, 429, 5xx or a failure of the network. Never
   * after the first byte of an answer, nor after a timeout.
   *
   * @default 2
   */
  readonly maxRetries?: number;
  /**
   * Milliseconds before the first repetition; it doubles with each one, up to 30,000. Each wait is
   * shortened by up to a quarter at random, but never below what the server asks for. If that is
   * more than 60,000, the request is not repeated.
   *
   * @default 500
   */
  readonly retryDelay?: number;
}

/**
 * How a stream of events ended: `done` after the event `[DONE]`, `closed` if the server just closed
 * it.
 *
 * @publicApi
 */
export type SseEnd = 'done' | 'closed';
