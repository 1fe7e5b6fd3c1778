import type { ChatSettings } from 'nestjs-agent-tools';
import type { HttpChatOptions } from 'nestjs-agent-tools/model-kit';
import type { VertexOptions } from './vertex-options.interface.js';

/**
 * Options of `gemini()`.
 *
 * @publicApi
 */
export interface GeminiOptions extends HttpChatOptions {
  /** Asks Vertex AI in place of the Gemini API, with an access token in place of a key. */
  readonly vertex?: VertexOptions;
  /**
   * Whether summaries of the model's thoughts are part of the answer, as reasoning.
   *
   * @default true if `reasoningEffort` or `reasoningBudget` turns reasoning on, else the provider's own
   */
  readonly includeThoughts?: boolean;
  /** What the server filters, sent as it is. @default the provider's own */
  readonly safetySettings?: readonly GeminiSafetySetting[];
}

/**
 * How strictly one kind of content is filtered.
 *
 * @publicApi
 */
export interface GeminiSafetySetting {
  /** For example `HARM_CATEGORY_HATE_SPEECH`. */
  readonly category: string;
  /** For example `BLOCK_ONLY_HIGH`. */
  readonly threshold: string;
  /** Vertex AI only: `SEVERITY` or `PROBABILITY`. */
  readonly method?: string;
}

/**
 * What decides about the body of a request to Gemini.
 *
 * @publicApi
 */
export interface GeminiBodyOptions
  extends ChatSettings, Pick<GeminiOptions, 'model' | 'includeThoughts' | 'safetySettings'> {
  /** Whether calls and results have ids; `v1` of Vertex AI does not know them. @default true */
  readonly callIds?: boolean;
}
