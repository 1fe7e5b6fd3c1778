import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import type { ChatRequest, ChatResponse } from '../../models/interfaces/chat-model.interface.js';
import type { AgentRun } from '../../tools/interfaces/agent-run.interface.js';
import type { ToolDefinition } from '../../tools/interfaces/tool-definition.interface.js';

/** Something that takes a while and is recorded. */
export interface Recording<Outcome> {
  /** Runs the work so that what it records belongs to this. */
  run<T>(work: () => T): T;
  /** With the outcome, or the error. At most one of them; neither if it was given up. */
  end(outcome: Outcome | undefined, error?: unknown): void;
}

/** How a run ended, as far as it is recorded. */
export interface RunOutcome {
  readonly status: string;
  readonly finishReason?: string;
  readonly text: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Records runs, turns of models and tool calls. */
export interface RuntimeTracer {
  startRun(run: AgentRun, input: () => unknown): Recording<RunOutcome>;
  startChat(modelName: string, request: ChatRequest): Recording<ChatResponse>;
  /**
   * @param definition undefined for a tool that does not exist
   * @param run of a call without an agent, which joins the trace of its call
   */
  startTool(
    call: { readonly id: string; readonly name: string; readonly input: unknown },
    definition: ToolDefinition | undefined,
    run?: AgentRun,
  ): Recording<ToolCallResult>;
}
