import type { ChatSettings } from '../../interfaces/chat-settings.interface.js';

/**
 * What one request is made with, all options resolved.
 *
 * @publicApi
 */
export interface ChatTarget {
  readonly model: string;
  readonly baseURL: string;
  /** Whether the answer is to come as a stream. */
  readonly stream: boolean;
  /** Those of the model and of the request. */
  readonly settings: ChatSettings;
}
