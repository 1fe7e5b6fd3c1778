import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import type { ChatMessage } from '../../models/interfaces/chat-message.interface.js';
import type { FinishReason, Usage } from '../../models/interfaces/chat-model.interface.js';

/**
 * How a run ended. `completed`: the model answered. `limited`: the step limit was reached, and the text is the answer
 * of a last turn without calls. `aborted`: by the signal, the timeout, or a consumer that left.
 * `paused`: the run waits for a decision.
 *
 * @publicApi
 */
export type AgentStatus = 'completed' | 'limited' | 'aborted' | 'paused';

/**
 * Why a run ended: the reason of the last model turn, or what cut it off; `return-direct` if the result of
 * a tool is the answer.
 *
 * @publicApi
 */
export type AgentFinishReason =
  FinishReason | 'step-limit' | 'return-direct' | 'timeout' | 'aborted';

/**
 * One model turn with its tool calls.
 *
 * @publicApi
 */
export interface AgentStep {
  /** From 1. */
  readonly step: number;
  readonly finishReason: FinishReason;
  /** In the order of the calls. */
  readonly toolResults: readonly ToolCallResult[];
  readonly usage?: Usage;
  /** Milliseconds, tools included. */
  readonly duration: number;
}

/**
 * How a run ended.
 *
 * @publicApi
 */
export interface AgentResult {
  readonly runId: string;
  readonly status: AgentStatus;
  /** The text of the last model turn, or the result of a tool if that is the answer. */
  readonly text: string;
  /** The messages that the run added to its input. Store them after it to continue. */
  readonly messages: readonly ChatMessage[];
  readonly steps: readonly AgentStep[];
  /** Summed over all turns. */
  readonly usage: Usage;
  readonly finishReason: AgentFinishReason;
}
