import type { ChatSettings } from 'nestjs-agent-tools';
import type { HttpChatOptions } from 'nestjs-agent-tools/model-kit';
import type { ProfileOption } from '../profiles/profile.finder.js';

/**
 * Options of `openai()`.
 *
 * @publicApi
 */
export interface OpenAIOptions extends HttpChatOptions {
  /**
   * The provider by its name, such as `'groq'`, or what differs from the one that `baseURL` leads to:
   * `{ echoReasoning: 'reasoning' }`.
   *
   * @default the one that `baseURL` leads to, by its host or port; else as OpenAI itself
   */
  readonly profile?: ProfileOption;
}

/**
 * What decides about the body of a Chat Completions request.
 *
 * @publicApi
 */
export interface ChatCompletionsBodyOptions
  extends ChatSettings, Pick<OpenAIOptions, 'model' | 'profile'> {
  /** Whether the answer is to come as a stream. @default false */
  readonly stream?: boolean;
}
