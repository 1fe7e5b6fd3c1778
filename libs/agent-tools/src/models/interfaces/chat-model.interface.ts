import type { ToolSchemaDialects } from '../../schemas/dialects/interfaces/schema-dialect.interface.js';
import type { ObjectJsonSchema } from '../../schemas/interfaces/json-schema.interface.js';
import type { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { AssistantPart, ChatMessage, ProviderMetadata } from './chat-message.interface.js';
import type { ChatSettings } from './chat-settings.interface.js';

/**
 * Why a model stopped. `tool-calls` and `stop` are the only reasons with which it is safe to run
 * calls; whether there are calls is decided by the calls.
 *
 * @publicApi
 */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error' | 'other';

/**
 * Tokens, normalised over providers: `inputTokens` includes those read from and written to a cache,
 * `outputTokens` includes reasoning.
 *
 * @publicApi
 */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** The part of `inputTokens` that came from the provider's cache. */
  readonly cacheReadTokens?: number;
  /** The part of `inputTokens` that was written to the provider's cache. */
  readonly cacheWriteTokens?: number;
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens?: number;
}

/**
 * A tool as a model sees it.
 *
 * @publicApi
 */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectJsonSchema;
  readonly strict?: boolean;
}

/**
 * Whether the model may or must call tools. `auto`: it decides. `none`: no calls. `required`: at least
 * one call. `{ tool }`: that tool.
 *
 * @publicApi
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/**
 * What a model is asked.
 *
 * @publicApi
 */
export interface ChatRequest {
  /**
   * The conversation. The list belongs to the running agent and grows with its steps: a model that
   * keeps it must copy it.
   */
  readonly messages: readonly ChatMessage[];
  /** @default [] */
  readonly tools?: readonly ChatTool[];
  /** @default 'auto' */
  readonly toolChoice?: ToolChoice;
  /** They win over those with which the model was made. @default {} */
  readonly settings?: ChatSettings;
}

/**
 * How a model is asked, beside what.
 *
 * @publicApi
 */
export interface ChatOptions {
  /** Ends the request. A model must stop reading and close its connection. */
  readonly signal?: AbortSignal;
  /** Told before a request is repeated, or put to another model. */
  readonly onRetry?: (retry: ChatRetry) => void;
}

/**
 * A failed request that is made again.
 *
 * @publicApi
 */
export interface ChatRetry {
  /** The name of the model that is asked next. */
  readonly model: string;
  /** What was wrong with the last attempt. */
  readonly error: ChatModelException;
  /** How many attempts have failed, from 1. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delay: number;
  /** Whether pieces of an answer came that are void now; a `restart` piece says so in the stream. */
  readonly restarted: boolean;
}

/**
 * A complete answer.
 *
 * @publicApi
 */
export interface ChatResponse {
  readonly content: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  readonly usage?: Usage;
}

/**
 * A piece of a streamed answer. Neighbouring pieces of text, or of reasoning, are one part, unless
 * their `part` differs. The fields of a `tool-call` piece are all optional: pieces of one call are
 * matched by a non-empty `id`, else by `index`, else they belong to the latest call. A stream must
 * end with a `finish` piece; one that does not was cut off and is an error.
 *
 * @publicApi
 */
export type ChatDelta =
  | {
      readonly type: 'text';
      readonly text: string;
      readonly part?: number;
      readonly providerMetadata?: ProviderMetadata;
    }
  | {
      readonly type: 'reasoning';
      readonly text: string;
      readonly part?: number;
      readonly providerMetadata?: ProviderMetadata;
    }
  | {
      readonly type: 'tool-call';
      readonly index?: number;
      readonly id?: string;
      readonly name?: string;
      /** A piece of the JSON text. */
      readonly arguments?: string;
      readonly providerMetadata?: ProviderMetadata;
    }
  /** The usage so far; a later one replaces an earlier one. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** What came so far is void, and the answer begins anew. */
  | { readonly type: 'restart' }
  | { readonly type: 'finish'; readonly reason: FinishReason };

/**
 * The plug for a language model. `generate` and `stream` give the same content for the same
 * request. Errors are thrown as `ChatModelException`.
 *
 * @publicApi
 */
export interface ChatModel {
  /** Shown in logs and errors, for example `openai:gpt-5-mini`. */
  readonly name: string;
  /**
   * The host and port of the model's server, if it is known: a key that a request gives to several models
   * must not be told to several servers.
   */
  readonly server?: string;
  /**
   * How the model's server takes the input schemas of tools. The model converts them itself; the
   * application's boot looks here for tools with `strict: true` that cannot be kept.
   */
  readonly toolSchemas?: ToolSchemaDialects;
  generate(request: ChatRequest, options?: ChatOptions): Promise<ChatResponse>;
  stream(request: ChatRequest, options?: ChatOptions): AsyncIterable<ChatDelta>;
}
