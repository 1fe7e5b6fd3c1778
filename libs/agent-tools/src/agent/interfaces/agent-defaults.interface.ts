import type { ChatModel } from '../../models/interfaces/chat-model.interface.js';
import type { AgentLimits } from './agent-limits.interface.js';

/**
 * What the module gives to every agent that does not set its own.
 *
 * @publicApi
 */
export interface AgentDefaults {
  /**
   * The model of every agent that does not name another: `openai({ model })`, `offline()` …
   * Without one the tools still work through `ToolExecutor`.
   * @default none
   */
  readonly model?: ChatModel;

  /** What every model is told first, for agents without instructions of their own. @default none */
  readonly instructions?: string;

  /** @default { steps: 10, toolCalls: 50, failedSteps: 3, unknownTools: 3, timeout: 120000 } */
  readonly limits?: AgentLimits;
}
