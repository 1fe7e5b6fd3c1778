/**
 * Options of `forbidRealModels()`.
 *
 * @publicApi
 */
export interface ForbidRealModelsOptions {
  /**
   * Whether a request may be made all the same, to a local server for example. Models of `fromAiSdk()` and
   * `fromLangChain()` do not know where theirs goes: `url` is undefined, and `model` the name.
   *
   * @default none may
   */
  readonly allow?: (url: URL | undefined, model: string) => boolean;
}

/**
 * Allows real models again, when it is called or, declared with `using`, at the end of its block.
 *
 * @publicApi
 */
export interface AllowRealModels {
  (): void;
  [Symbol.dispose](): void;
}
