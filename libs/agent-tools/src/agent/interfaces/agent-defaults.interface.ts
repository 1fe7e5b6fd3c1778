import type { ChatModelsOptions } from '../../models/interfaces/chat-models-options.interface.js';
import type { ChatSettings } from '../../models/interfaces/chat-settings.interface.js';
import type { AgentLimits } from './agent-limits.interface.js';

/**
 * What the module gives to every agent that does not set its own.
 *
 * @publicApi
 */
export interface AgentDefaults extends ChatModelsOptions {
  /** For the models of all agents. They win over those with which a model was made. @default {} */
  readonly modelSettings?: ChatSettings;

  /** What every model is told first, for agents without instructions of their own. @default none */
  readonly instructions?: string;

  /** @default { steps: 10, toolCalls: 50, failedSteps: 3, unknownTools: 3, timeout: 120000 } */
  readonly limits?: AgentLimits;
}
