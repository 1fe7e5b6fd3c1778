import type { ChatTimeouts } from '../../interfaces/chat-timeouts.interface.js';

/** How a request is sent. */
export interface HttpRequestOptions {
  /** Named first in every error, for example `openai:gpt-5-mini`. */
  readonly label: string;
  /** For the exceptions. @default the label up to its colon */
  readonly provider?: string;
  /** Sent as they are. Values of headers that look like credentials never appear in an error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The part of the body that the application gives; it may hold the keys of other servers. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** What to do if the server says that there is no right key. @default to check the key */
  readonly keyRemedy?: string;
  /** Ends the request: the connection is closed and `signal.reason` is thrown. */
  readonly signal?: AbortSignal;
  /** @default the global `fetch` at the time of the request */
  readonly fetch?: typeof fetch;
  /** @default { connect: 60_000, firstChunk: 120_000, betweenChunks: 60_000, request: 600_000 } */
  readonly timeouts?: ChatTimeouts;
}
