import type { ChatModel, ChatRetryPolicy } from 'nestjs-agent-tools';

/**
 * A piece of an answer: an object is one event (`data: {…}`, with an `event:` line if it has a `type`),
 * or the whole answer for `generate()`; texts and bytes are sent as they are.
 *
 * @publicApi
 */
export type RawChunk = object | string | Uint8Array;

/**
 * What `fromChunks()` hands to the factory of a model.
 *
 * @publicApi
 */
export interface ChunkModelOptions {
  readonly model: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  /** No retries, so that a script is played once. */
  readonly retry: ChatRetryPolicy;
}

/**
 * Makes a model: `openai`, `anthropic`, `gemini`, or a function that adds more options to them.
 *
 * @publicApi
 */
export type ChunkModelFactory = (options: ChunkModelOptions) => ChatModel;

/**
 * Options of `fromChunks()`.
 *
 * @publicApi
 */
export interface FromChunksOptions {
  /**
   * What follows the last piece: the end of the answer, a broken connection, or silence until the
   * request is aborted.
   *
   * @default 'close'
   */
  readonly end?: 'close' | 'reset' | 'stall';
  /** Whether `data: [DONE]` comes last. @default false */
  readonly done?: boolean;
  /** @default 200 */
  readonly status?: number;
  /** The `content-type` follows from the request, unless it is given. @default {} */
  readonly headers?: Readonly<Record<string, string>>;
}
