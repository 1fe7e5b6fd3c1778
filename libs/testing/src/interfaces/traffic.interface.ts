/**
 * What a recording file holds: requests and what was answered, in the order of the requests.
 *
 * @publicApi
 */
export interface RecordedTraffic {
  readonly interactions: readonly RecordedInteraction[];
}

/**
 * One request and its answer.
 *
 * @publicApi
 */
export interface RecordedInteraction {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

/**
 * A request without its secrets.
 *
 * @publicApi
 */
export interface RecordedRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RecordedBody;
}

/**
 * An answer without its secrets.
 *
 * @publicApi
 */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RecordedBody;
  /** Whether it was broken off, by the server or by the reader; `body` is what had come. @default false */
  readonly interrupted?: boolean;
}

/**
 * JSON objects and lists as such, other texts (streams of events too) as text, bytes as
 * `{ base64: … }`, nothing as `null`.
 *
 * @publicApi
 */
export type RecordedBody = string | object | null;

/**
 * Options of `recordTraffic()`.
 *
 * @publicApi
 */
export interface RecordTrafficOptions {
  /** Sends the requests. @default the global `fetch` at the time of the request */
  readonly fetch?: typeof fetch;
  /** More headers of requests and answers to keep. Credentials among them are redacted. @default [] */
  readonly headers?: readonly string[];
  /** More values that must not be in the file, beside keys and credentials. @default [] */
  readonly secrets?: readonly string[];
}

/**
 * Options of `replayTraffic()`.
 *
 * @publicApi
 */
export interface ReplayTrafficOptions {
  /**
   * Fields of the request's body that may differ, as paths: `user`, `metadata.session`,
   * `messages.*.id` (`*` stands for any property or item).
   *
   * @default []
   */
  readonly ignore?: readonly string[];
  /** Bytes per piece of an answer. @default one event per piece for streams, else all at once */
  readonly chunkSize?: number;
}

/**
 * A `fetch` that answers from a recording.
 *
 * @publicApi
 */
export type ReplayFetch = typeof fetch & {
  /**
   * Checks that the whole recording was used.
   *
   * @throws Error that names the requests which were not made
   */
  assertComplete(): void;
};
