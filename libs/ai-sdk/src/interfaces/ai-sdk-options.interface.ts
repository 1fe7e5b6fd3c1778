import type {
  ChatRetryPolicy,
  ChatSettings,
  ChatTimeouts,
  ToolCallingOptions,
  ToolSchemaDialects,
} from 'nestjs-agent-tools';

/** Settings for which the AI SDK has no word of its own. */
type Unknown = 'parallelToolCalls' | 'reasoningBudget' | 'body' | 'baseURL' | 'apiKey';

/**
 * Options of `fromAiSdk()`. `reasoningEffort` needs a model of specification V4.
 *
 * @publicApi
 */
export interface AiSdkOptions extends Omit<ChatSettings, Unknown>, ToolCallingOptions {
  /** Sent with each request as they are: what only one provider knows, under its name. @default {} */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * How the input schemas of tools are sent.
   *
   * @default as they are (JSON Schema 2020-12), with the mark for strict tools from V3 on
   */
  readonly toolSchemas?: ToolSchemaDialects;
  /**
   * Where images of tool results go: into the result, or into a message of the user after it, for
   * providers that write a result as text.
   *
   * @default 'user' for providers whose name ends with `.chat`, else 'result'
   */
  readonly toolImages?: 'result' | 'user';
  /**
   * The time to connect cannot be told apart from the time to the first piece here, so there is no
   * `connect`.
   *
   * @default { firstChunk: 120_000, betweenChunks: 60_000, request: 600_000 }
   */
  readonly timeouts?: Omit<ChatTimeouts, 'connect'>;
  /** @default { maxRetries: 2, delay: 500, maxDelay: 30_000, maxRetryAfter: 60_000, restart: false } */
  readonly retry?: ChatRetryPolicy;
}
