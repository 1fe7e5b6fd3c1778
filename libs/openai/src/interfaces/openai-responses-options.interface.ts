import type { ChatSettings } from 'nestjs-agent-tools';
import type { HttpChatOptions } from 'nestjs-agent-tools/model-kit';
import type { OpenAIProfile } from '../profiles/interfaces/openai-profile.interface.js';

/**
 * The providers whose servers have the Responses API.
 *
 * @publicApi
 */
export type ResponsesProfileName =
  | 'openai'
  | 'azure'
  | 'xai'
  | 'openrouter'
  | 'deepseek'
  | 'groq'
  | 'fireworks'
  | 'huggingface'
  | 'ollama'
  | 'vllm'
  | 'lmstudio';

/**
 * Options of `openaiResponses()`.
 *
 * @publicApi
 */
export interface OpenAIResponsesOptions extends HttpChatOptions {
  /**
   * The provider by its name, such as `'azure'`, or what differs from the one that `baseURL` leads to.
   *
   * @default the one that `baseURL` leads to, by its host or port; else as OpenAI itself
   */
  readonly profile?: ResponsesProfileName | Partial<OpenAIProfile>;
  /**
   * Whether the server keeps the answers. The conversation is sent whole in either case, with the
   * reasoning in it that the server encrypted.
   *
   * @default false
   */
  readonly store?: boolean;
  /** Asks for a summary of the reasoning, of which OpenAI shows nothing else. @default none */
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed';
  /** How long answers are. @default the provider's own */
  readonly verbosity?: 'low' | 'medium' | 'high';
}

/**
 * What decides about the body of a Responses request.
 *
 * @publicApi
 */
export interface ResponsesBodyOptions
  extends
    ChatSettings,
    Pick<OpenAIResponsesOptions, 'model' | 'profile' | 'store' | 'reasoningSummary' | 'verbosity'> {
  /** Whether the answer is to come as a stream. @default false */
  readonly stream?: boolean;
}
