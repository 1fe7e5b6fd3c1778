import type { AgentRunContext } from './agent-run-context.interface.js';

/**
 * The run that a tool call belongs to.
 *
 * @publicApi
 */
export interface AgentRun {
  readonly id: string;
  /** Name of the agent; undefined for the default agent and for a call without an agent. */
  readonly agent?: string;
  /** The request that the run was started with, as the application's guards know it. */
  readonly request: unknown;
  readonly context: Readonly<Partial<AgentRunContext>>;
}
