import type { ToolSchemaDialects } from 'nestjs-agent-tools';

/**
 * Headers of each request: fixed ones, or a function that is asked before each request, for tokens
 * that expire.
 *
 * @publicApi
 */
export type OpenAIHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/**
 * What decides about the body of a request.
 *
 * @publicApi
 */
export interface ChatCompletionsOptions {
  /** The name of the model as its server knows it. */
  readonly model: string;
  /**
   * The address before `/chat/completions`. A query is kept, as Azure needs it.
   *
   * @default the environment's `OPENAI_BASE_URL`, else `https://api.openai.com/v1`
   */
  readonly baseURL?: string;
  /** @default the server's own */
  readonly temperature?: number;
  /** The most tokens to generate. @default the server's own */
  readonly maxTokens?: number;
  /**
   * The field in which `maxTokens` is sent.
   *
   * @default 'max_completion_tokens' for api.openai.com, else 'max_tokens', which all others know
   */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** `minimal`, `low`, `medium`, `high` or what else the model knows. @default the server's own */
  readonly reasoningEffort?: string;
  /** Whether the model may ask for several calls at once. @default the server's own */
  readonly parallelToolCalls?: boolean;
  /**
   * Sends the model's reasoning back with the calls that it led to. DeepSeek needs it
   * (`reasoning_content`); OpenRouter gets its `reasoning_details` unchanged. A string names another
   * field for the text, such as `reasoning` for Groq, Cerebras and Ollama.
   *
   * @default false
   */
  readonly echoReasoning?: boolean | string;
  /**
   * How the server takes the input schemas of tools, such as `{ plain: toGeminiSchema }`.
   *
   * @default Ollama's dialect for port 11434, without strict tools; else OpenAI's, as most servers do
   */
  readonly toolSchemas?: ToolSchemaDialects;
  /**
   * More fields of the body, such as `top_p` or `response_format`. They win over those that this
   * library sets; `undefined` removes one: `{ stream_options: undefined }`.
   *
   * @default {}
   */
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Options of `openai()`.
 *
 * @publicApi
 */
export interface OpenAIOptions extends ChatCompletionsOptions {
  /**
   * Sent as a bearer token, to `baseURL`. An empty string sends none.
   *
   * @default the environment's `OPENAI_API_KEY` at the time of the request, unless `baseURL` names
   * another server than OpenAI's: that one gets only a key which is given here
   */
  readonly apiKey?: string;
  /** More headers. They win over those that this library sets. @default {} */
  readonly headers?: OpenAIHeaders;
  /** For a proxy, or for tests. @default the global `fetch` */
  readonly fetch?: typeof fetch;
  /** Milliseconds until the headers of an answer, per attempt; 0 for no limit. @default 60_000 */
  readonly timeout?: number;
  /** Milliseconds between two pieces of an answer; 0 for no limit. @default 60_000 */
  readonly idleTimeout?: number;
  /**
   * How often a request is repeated after 408, 409, 429, 5xx or a failure of the network, as long
   * as no byte of an answer came.
   *
   * @default 2
   */
  readonly maxRetries?: number;
}
