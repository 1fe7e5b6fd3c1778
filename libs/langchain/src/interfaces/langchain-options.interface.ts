import type {
  ChatRetryPolicy,
  ChatSettings,
  ChatTimeouts,
  ToolCallingOptions,
  ToolSchemaDialects,
} from 'nestjs-agent-tools';

/**
 * How a chat model of LangChain is asked. Temperature, the most tokens, reasoning, the form of the
 * answer, keys and addresses are set on the LangChain model itself.
 *
 * @publicApi
 */
export interface LangChainOptions
  extends Pick<ChatSettings, 'stop' | 'parallelToolCalls'>, ToolCallingOptions {
  /** Shown in logs and errors. @default the model's type and name, such as `openai:gpt-5-mini` */
  readonly name?: string;
  /**
   * LangChain's call options, passed on as they are: those of the provider (`reasoning`,
   * `response_format` …), `callbacks`, `tags`, `metadata`.
   *
   * @default {}
   */
  readonly callOptions?: Readonly<Record<string, unknown>>;
  /**
   * Makes failed requests again. LangChain's models do so themselves, 6 times if not told otherwise, and
   * the two multiply: give the LangChain model `maxRetries: 0` with this.
   *
   * @default LangChain's own retries only
   */
  readonly retry?: ChatRetryPolicy;
  /** LangChain does not say when the server has begun to answer, so there is no `connect`. */
  readonly timeouts?: Omit<ChatTimeouts, 'connect'>;
  /** How the model's provider takes the input schemas of tools. @default by the type of the model */
  readonly toolSchemas?: ToolSchemaDialects;
}
