/**
 * An answer of Gemini, or a piece of a streamed one. Nothing is certain to be there, so each value is
 * checked where it is read.
 */
export interface WireAnswer {
  readonly candidates?: unknown;
  readonly promptFeedback?: { readonly blockReason?: unknown } | null;
  readonly usageMetadata?: WireUsage | null;
}

export interface WireCandidate {
  readonly index?: unknown;
  readonly content?: { readonly parts?: unknown } | null;
  readonly finishReason?: unknown;
  /** For people, beside some reasons. */
  readonly finishMessage?: unknown;
}

export interface WirePart {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly thoughtSignature?: unknown;
  readonly functionCall?: unknown;
  /** The rest is of tools that run on Google's servers. */
  readonly executableCode?: unknown;
  readonly codeExecutionResult?: unknown;
  readonly toolCall?: unknown;
  readonly toolResponse?: unknown;
}

export interface WireFunctionCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
  readonly partialArgs?: unknown;
  readonly willContinue?: unknown;
}

export interface WireUsage {
  readonly promptTokenCount?: unknown;
  readonly candidatesTokenCount?: unknown;
  readonly thoughtsTokenCount?: unknown;
  readonly toolUsePromptTokenCount?: unknown;
  readonly cachedContentTokenCount?: unknown;
  readonly totalTokenCount?: unknown;
}
