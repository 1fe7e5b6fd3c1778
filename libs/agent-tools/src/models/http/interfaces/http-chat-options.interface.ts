import type { ChatRetryPolicy } from '../../interfaces/chat-retry-policy.interface.js';
import type { ChatSettings } from '../../interfaces/chat-settings.interface.js';
import type { ChatTimeouts } from '../../interfaces/chat-timeouts.interface.js';
import type { ToolCallingOptions } from '../../prompt-calls/interfaces/tool-calling-options.interface.js';

/**
 * Headers of each request: fixed ones, or a function that is asked before each request, for tokens
 * that expire.
 *
 * @publicApi
 */
export type ChatHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/**
 * Options of every model behind an HTTP server.
 *
 * @publicApi
 */
export interface HttpChatOptions
  extends Omit<ChatSettings, 'apiKey' | 'headers'>, ToolCallingOptions {
  /** The name of the model as its server knows it. */
  readonly model: string;
  /**
   * The key of the server, or a function that is asked before each request, for tokens that expire.
   * An empty text sends none. Nothing is read before the first request.
   *
   * @default the environment's variable that the provider's documentation names, unless `baseURL`
   * leads to another server: that one gets only a key which is given here
   */
  readonly apiKey?: string | (() => string | Promise<string>);
  /** More headers. They win over those that the library sets. @default {} */
  readonly headers?: ChatHeaders;
  /** For a proxy, or for tests. @default the global `fetch` at the time of the request */
  readonly fetch?: typeof fetch;
  /** @default { connect: 60_000, firstChunk: 120_000, betweenChunks: 60_000, request: 600_000 } */
  readonly timeouts?: ChatTimeouts;
  /** @default { maxRetries: 2, delay: 500, maxDelay: 30_000, maxRetryAfter: 60_000, restart: false } */
  readonly retry?: ChatRetryPolicy;
}
