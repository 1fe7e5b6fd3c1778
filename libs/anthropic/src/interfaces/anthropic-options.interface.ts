import type { ChatSettings } from 'nestjs-agent-tools';
import type { HttpChatOptions } from 'nestjs-agent-tools/model-kit';

/**
 * What of a request Anthropic's cache keeps. Each is one of at most four marks: all up to it is read
 * from the cache the next time, if it is the same.
 *
 * @publicApi
 */
export interface AnthropicCacheOptions {
  /** How long it is kept after its last use; an hour costs more to write. @default '5m' */
  readonly ttl?: '5m' | '1h';
  /** Up to the end of the system messages. @default true */
  readonly system?: boolean;
  /** Up to the last tool. @default true */
  readonly tools?: boolean;
  /** Up to the end of the conversation, as it is in this request. @default true */
  readonly messages?: boolean;
}

/**
 * What `anthropic()` knows beside the options of all models.
 *
 * @publicApi
 */
export interface AnthropicExtras {
  /** Marks requests for Anthropic's cache. @default false */
  readonly cache?: boolean | AnthropicCacheOptions;
  /**
   * Tools that Anthropic itself runs, such as `{ type: 'web_search_20250305', name: 'web_search' }`. They
   * are sent as they are, after those of the application.
   *
   * @default []
   */
  readonly serverTools?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Options of `anthropic()`.
 *
 * @publicApi
 */
export interface AnthropicOptions extends HttpChatOptions, AnthropicExtras {
  /** Names of features in preview, for the header `anthropic-beta`. @default [] */
  readonly betas?: readonly string[];
}

/**
 * What decides about the body of a Messages request.
 *
 * @publicApi
 */
export interface AnthropicBodyOptions extends ChatSettings, AnthropicExtras {
  /** The name of the model. */
  readonly model: string;
  /** Whether the answer is to come as a stream. @default false */
  readonly stream?: boolean;
}
