import type { Type } from '@nestjs/common';
import type { ChatMessage } from '../../models/interfaces/chat-message.interface.js';
import type { ChatModel, ToolChoice } from '../../models/interfaces/chat-model.interface.js';
import type { ChatSettings } from '../../models/interfaces/chat-settings.interface.js';
import type { AgentRunContext } from '../../tools/interfaces/agent-run-context.interface.js';
import type { SharedToolPolicy } from '../../tools/interfaces/tool-policy.interface.js';
import type { AgentLimits } from './agent-limits.interface.js';

/**
 * A tool by its name, or all tools of a provider by its class.
 *
 * @publicApi
 */
export type ToolSelector = string | Type<object>;

/** What an agent and a run can set; a run's value wins, then the agent's, then the module's. */
interface AgentSettings {
  /** The model, or its name among the module's `models`. @default the module's */
  readonly model?: ChatModel | string;
  /** How the model is set: temperature, reasoning, response format … @default {} */
  readonly modelSettings?: ChatSettings;
  /** What the model is told first. @default the module's */
  readonly instructions?: string;
  /** The tools that the model sees and may call. @default all tools of the application */
  readonly tools?: readonly ToolSelector[];
  /** @default the module's */
  readonly limits?: AgentLimits;
}

/**
 * An agent of `AgentToolsModule.forFeature({ agents })`.
 *
 * @publicApi
 */
export interface AgentOptions extends AgentSettings {
  /** For `@InjectAgent(name)`, logs and events. */
  readonly name: string;
  /** For tools that do not say otherwise. @default the module's */
  readonly toolDefaults?: SharedToolPolicy;
}

/**
 * Options of one run.
 *
 * @publicApi
 */
export interface AgentRunOptions extends AgentSettings {
  /**
   * The request on whose behalf the run acts. The application's guards and parameter decorators find
   * it where they find it on a controller; without it they fail closed.
   * @default undefined
   */
  readonly request?: unknown;
  /** The application's values for `@RunContext()`. Never shown to the model. @default {} */
  readonly context?: Partial<AgentRunContext>;
  /** Aborts the run; it then ends with the status `aborted`. @default none */
  readonly signal?: AbortSignal;
  /**
   * Whether the first turn must call tools. Later turns are `auto`, but for `none`: then no call is run in
   * the whole run, whatever the model answers.
   * @default 'auto'
   */
  readonly toolChoice?: ToolChoice;
  /** Wins over what the tools themselves say. @default {} */
  readonly toolOverrides?: SharedToolPolicy;
}

/**
 * What the user says: a text, or a conversation that ends with a user message.
 *
 * @publicApi
 */
export type AgentInput = string | readonly ChatMessage[];
