/**
 * How long a model may take, in milliseconds, per attempt; 0 for no limit. Each limit has an exception
 * of its own, and they are repeated as other failures are.
 *
 * @publicApi
 */
export interface ChatTimeouts {
  /**
   * Until the server begins to answer with headers, for streams. (Those of a whole answer come with it,
   * so only the others hold for one.)
   *
   * @default 60_000
   */
  readonly connect?: number;
  /** Until the first piece of the answer. @default 120_000 */
  readonly firstChunk?: number;
  /** Between two pieces of the answer. @default 60_000 */
  readonly betweenChunks?: number;
  /** Until the end of the answer. @default 600_000 */
  readonly request?: number;
}
