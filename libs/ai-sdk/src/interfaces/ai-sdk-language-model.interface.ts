/**
 * A language model of a provider of the AI SDK (`@ai-sdk/openai`, `@ai-sdk/google` and so on), of
 * specification V2, V3 or V4. Only what `fromAiSdk()` uses of one, so that no package of the AI SDK is
 * needed for its types.
 *
 * @publicApi
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: AiSdkSpecification;
  readonly provider: string;
  readonly modelId: string;
  /** Every version has a parameter of its own, so the type says that none is known. */
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/**
 * The specifications of language models that `fromAiSdk()` knows.
 *
 * @publicApi
 */
export type AiSdkSpecification = 'v2' | 'v3' | 'v4';
