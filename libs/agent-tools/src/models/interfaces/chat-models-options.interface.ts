import type { ChatModel } from './chat-model.interface.js';

/**
 * The models of an application.
 *
 * @publicApi
 */
export interface ChatModelsOptions {
  /**
   * The model of every agent that does not name another: `openai({ model })`, `offline()` … Short for
   * `models: { default }`. Without one the tools still work through `ToolExecutor`.
   * @default none
   */
  readonly model?: ChatModel;

  /**
   * Models by name, for `model: 'fast'` of an agent or a run and `@InjectChatModel('fast')`; the one
   * named `default` is that of every agent which names none.
   * @default {}
   */
  readonly models?: Readonly<Record<string, ChatModel>>;
}
