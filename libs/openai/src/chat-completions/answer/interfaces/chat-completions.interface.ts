/**
 * What the servers that speak Chat Completions really send. Nothing is certain to be there, and
 * what is there may be `null` or empty, so each value is checked where it is read.
 */
export interface WireCompletion {
  readonly choices?: readonly (WireChoice | null)[] | null;
  readonly usage?: WireUsage | null;
  readonly x_groq?: { readonly usage?: WireUsage | null } | null;
}

export interface WireChoice {
  readonly index?: number | null;
  /** In a chunk. */
  readonly delta?: WireMessage | null;
  /** In a complete answer. */
  readonly message?: WireMessage | null;
  readonly finish_reason?: string | null;
  /** OpenRouter's, of the provider behind it. */
  readonly error?: unknown;
}

export interface WireMessage {
  /** Mistral sends a list once a model reasons. */
  readonly content?: string | readonly (WireContent | string | null)[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_text?: unknown;
  readonly reasoning_details?: readonly ReasoningDetail[] | null;
  readonly tool_calls?: readonly (WireToolCall | null)[] | null;
  readonly function_call?: WireFunction | null;
}

export interface WireContent {
  readonly type?: string;
  readonly text?: unknown;
  readonly thinking?: string | readonly { readonly text?: unknown }[] | null;
}

export interface WireToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: WireFunction | null;
  /** Google keeps the signature of the thoughts behind a call here, and wants it back. */
  readonly extra_content?: unknown;
}

export interface WireFunction {
  readonly name?: string | null;
  /** JSON text; some servers send the object itself. */
  readonly arguments?: unknown;
}

/** OpenRouter's form of reasoning, which it wants back unchanged. */
export interface ReasoningDetail {
  readonly type?: string;
  readonly index?: number | null;
  readonly id?: string | null;
  readonly text?: string | null;
  readonly summary?: string | null;
  readonly [field: string]: unknown;
}

export interface WireUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
  /** DeepSeek, Mistral and Together, in this order. */
  readonly prompt_cache_hit_tokens?: unknown;
  readonly num_cached_tokens?: unknown;
  readonly cached_tokens?: unknown;
}
