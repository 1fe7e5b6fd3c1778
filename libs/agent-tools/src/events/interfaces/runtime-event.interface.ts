import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import type {
  ChatRetry,
  FinishReason,
  Usage,
} from '../../models/interfaces/chat-model.interface.js';

/**
 * What every runtime event says.
 *
 * @publicApi
 */
export interface RuntimeEventBase {
  readonly runId: string;
  /** Of the whole run: see `ToolCall#traceId`. */
  readonly traceId: string;
  /** Name of the agent; undefined for the default agent and for calls without an agent. */
  readonly agent?: string | undefined;
  /** From 1; 0 before the first step and for calls without an agent. */
  readonly step: number;
}

/**
 * What every event of a tool call says.
 *
 * @publicApi
 */
export interface ToolEventBase extends RuntimeEventBase {
  readonly callId: string;
  /** Of the tool; as the model wrote it if there is no such tool. */
  readonly name: string;
}

/**
 * What happens to a tool call, in this order; after `tool-retried` it goes on from `tool-started`. A call
 * that is not run has no `tool-started`, and one whose tool or arguments are unusable no
 * `tool-arguments-read` either.
 *
 * @publicApi
 */
export type ToolRuntimeEvent = ToolEventBase &
  (
    | {
        /** A call has come. */
        readonly type: 'tool-arguments-received';
        /** As the model or the caller sent them. */
        readonly arguments: unknown;
      }
    | {
        /** Its arguments could be read. */
        readonly type: 'tool-arguments-read';
        readonly input: unknown;
        /** What was read otherwise than written, a line each, without values. */
        readonly repairs: readonly string[];
      }
    | {
        /** An attempt begins: its guards are asked. */
        readonly type: 'tool-started';
        /** From 1. */
        readonly attempt: number;
      }
    | {
        /** The guards, and `approve` if there is one, let the call pass. */
        readonly type: 'tool-authorized';
      }
    | {
        /** The input is validated; pipes and the method come next. */
        readonly type: 'tool-input';
        readonly input: unknown;
      }
    | {
        /** The method returned a sequence of values. */
        readonly type: 'tool-stream-started';
      }
    | {
        /** The tool reports how far it is, or gives a value of its sequence. */
        readonly type: 'tool-progress';
        readonly value: unknown;
      }
    | {
        /** The sequence is over: it has completed, failed, or was left. */
        readonly type: 'tool-stream-ended';
      }
    | {
        /** What the call gives, before it is converted for the model. */
        readonly type: 'tool-output';
        readonly value: unknown;
      }
    | {
        /** The call ended well. */
        readonly type: 'tool-finished';
        readonly result: ToolCallResult;
      }
    | {
        /** The call ended otherwise: see `result.status`. */
        readonly type: 'tool-failed';
        readonly result: ToolCallResult;
      }
    | {
        /** An attempt failed, and there is another one. */
        readonly type: 'tool-retried';
        /** The attempt that failed, from 1. */
        readonly attempt: number;
        readonly error: unknown;
        /** Milliseconds until the next one. */
        readonly delay: number;
      }
  );

/**
 * What happens to a run. Every run ends with exactly one of `run-finished` and `run-failed`.
 *
 * @publicApi
 */
export type RunRuntimeEvent = RuntimeEventBase &
  (
    | { readonly type: 'run-started' }
    | { readonly type: 'step-started' }
    | ({ readonly type: 'model-retried' } & ChatRetry)
    | {
        readonly type: 'step-finished';
        readonly finishReason: FinishReason;
        readonly usage?: Usage | undefined;
        /** Milliseconds, tools included. */
        readonly duration: number;
      }
    | {
        readonly type: 'run-finished';
        /** As in the result of the run: `stop`, `step-limit`, `timeout` … */
        readonly finishReason: string;
        readonly status: 'completed' | 'limited' | 'aborted' | 'paused';
        readonly usage: Usage;
        /** Milliseconds. */
        readonly duration: number;
      }
    | {
        readonly type: 'run-failed';
        readonly error: unknown;
        readonly usage: Usage;
        /** Milliseconds. */
        readonly duration: number;
      }
  );

/**
 * What happens in all runs and tool calls of the application.
 *
 * @publicApi
 */
export type RuntimeEvent = RunRuntimeEvent | ToolRuntimeEvent;
