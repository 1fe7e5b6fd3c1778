import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import type {
  ChatRetry,
  FinishReason,
  Usage,
} from '../../models/interfaces/chat-model.interface.js';
import type { AgentRunException } from '../agent-run.exception.js';
import type { AgentResult } from './agent-result.interface.js';

interface EventBase {
  readonly runId: string;
  /** From 1; 0 before the first step. */
  readonly step: number;
}

/**
 * The first event of a run.
 *
 * @publicApi
 */
export interface RunStartedEvent extends EventBase {
  readonly type: 'run-started';
  readonly agent?: string;
}

/**
 * The model is asked.
 *
 * @publicApi
 */
export interface StepStartedEvent extends EventBase {
  readonly type: 'step-started';
}

/**
 * A failed request to the model is made again, or another model is asked.
 *
 * @publicApi
 */
export interface ModelRetriedEvent extends EventBase, ChatRetry {
  readonly type: 'model-retried';
}

/**
 * A piece of the answer.
 *
 * @publicApi
 */
export interface TextDeltaEvent extends EventBase {
  readonly type: 'text-delta';
  readonly text: string;
}

/**
 * A piece of what the model thinks.
 *
 * @publicApi
 */
export interface ReasoningDeltaEvent extends EventBase {
  readonly type: 'reasoning-delta';
  readonly text: string;
}

/**
 * A complete call, before it runs.
 *
 * @publicApi
 */
export interface ToolCallEvent extends EventBase {
  readonly type: 'tool-call';
  readonly callId: string;
  /** As the model wrote it, which need not be the name of a tool. */
  readonly name: string;
  /** JSON text of an object. Unusable text comes as `{"INVALID_JSON": "…"}`. */
  readonly arguments: string;
  /**
   * What of the arguments was read otherwise than written, a line each, without values: broken JSON,
   * text for a number … Undefined if nothing was.
   */
  readonly repairs?: readonly string[];
}

/**
 * A running tool reports how far it is.
 *
 * @publicApi
 */
export interface ToolProgressEvent extends EventBase {
  readonly type: 'tool-progress';
  readonly callId: string;
  readonly name: string;
  readonly value: unknown;
}

/**
 * The end of a call, in the order in which calls end. (Messages hold results in the order of calls.)
 *
 * @publicApi
 */
export interface ToolResultEvent extends EventBase, ToolCallResult {
  readonly type: 'tool-result';
}

/**
 * The turn of the model and its tool calls are over.
 *
 * @publicApi
 */
export interface StepFinishedEvent extends EventBase {
  readonly type: 'step-finished';
  readonly finishReason: FinishReason;
  readonly usage?: Usage;
  /** Milliseconds, tools included. */
  readonly duration: number;
}

/**
 * The last event of a run that did not fail.
 *
 * @publicApi
 */
export interface RunFinishedEvent extends EventBase {
  readonly type: 'run-finished';
  readonly result: AgentResult;
}

/**
 * The last event of a run that failed; the stream throws the same exception after it.
 *
 * @publicApi
 */
export interface RunFailedEvent extends EventBase {
  readonly type: 'run-failed';
  readonly error: AgentRunException;
}

/**
 * What happens in a run, as it happens. Every run ends with exactly one of `run-finished` and
 * `run-failed`.
 *
 * @publicApi
 */
export type AgentEvent =
  | RunStartedEvent
  | StepStartedEvent
  | ModelRetriedEvent
  | TextDeltaEvent
  | ReasoningDeltaEvent
  | ToolCallEvent
  | ToolProgressEvent
  | ToolResultEvent
  | StepFinishedEvent
  | RunFinishedEvent
  | RunFailedEvent;
