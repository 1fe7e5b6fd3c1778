import type { ExecutionContext, Type } from '@nestjs/common';
import type { ToolCall } from '../tool-call.js';
import type { ToolResult } from '../tool-result.js';
import type { ToolResultConverter } from './tool-result-converter.interface.js';

/**
 * What the model is told about an unexpected error: `id` gives a fixed text with an error id that
 * the log repeats; `message` gives the error's message with credentials cut out.
 *
 * @publicApi
 */
export type ToolErrorDisclosure = 'id' | 'message';

/**
 * Whether the result of a tool is the answer of the run, without another turn of the model. `true`: if
 * every call of the step has it. `'if-last'`: if it is the last call of the step. Never if a call of the
 * step failed.
 *
 * @publicApi
 */
export type ToolReturnDirect = boolean | 'if-last';

/**
 * How a failed call is repeated.
 *
 * @publicApi
 */
export interface ToolRetryPolicy {
  /** How often at most, beside the first attempt. From 0 to 10. */
  readonly times: number;
  /**
   * Milliseconds before the first repetition; each further one waits twice as long. Chance takes up to
   * half of a wait away.
   * @default 200
   */
  readonly delay?: number;
  /** Milliseconds that no wait exceeds. @default 5000 */
  readonly maxDelay?: number;
  /** Whether to repeat after this error; not if it throws. @default always */
  readonly when?: (error: unknown) => boolean;
}

/**
 * How many calls run at the same time, and how many may wait. A call beyond both is an error result.
 *
 * @publicApi
 */
export type ToolConcurrency =
  | number
  | {
      readonly limit: number;
      /** How many calls may wait. @default 100 */
      readonly queue?: number;
    };

/**
 * Decides whether a call may run, when its arguments are validated and before its pipes and its method.
 * Anything but `true` is a `denied` result.
 *
 * @publicApi
 */
export type ToolApproval = (
  call: ToolCall,
  context: ExecutionContext,
) => boolean | Promise<boolean>;

/**
 * What is known of a call that failed.
 *
 * @publicApi
 */
export interface FailedToolCall {
  readonly callId: string;
  readonly name: string;
  readonly step: number;
  readonly runId: string;
  /** As they were read; undefined if they could not be. */
  readonly input: unknown;
}

/** What a handler of errors gives. */
type HandlerAnswer = string | ToolResult | undefined | void;

/**
 * Answers in place of the standard text for an error, for the model. `undefined` leaves the standard
 * text. What it throws ends the run.
 *
 * @publicApi
 */
export type ToolErrorHandler = (
  error: unknown,
  call: FailedToolCall,
) => HandlerAnswer | Promise<HandlerAnswer>;

/**
 * Answers a call of a tool that does not exist or is not part of the run. `undefined` leaves the
 * standard text. What it throws ends the run.
 *
 * @publicApi
 */
export type UnknownToolHandler = (
  call: FailedToolCall,
  names: readonly string[],
) => HandlerAnswer | Promise<HandlerAnswer>;

/**
 * How the calls of a tool are treated. The nearest value counts: `toolOverrides` of a run, the options
 * of the tool, `toolDefaults` of the agent, `toolDefaults` of the module.
 *
 * @publicApi
 */
export interface ToolPolicy {
  /**
   * Milliseconds until the call is given up and its signal aborts; waiting and all attempts count. At
   * most 3,600,000.
   * @default 30000
   */
  readonly timeout?: number;

  /**
   * Repeats a call that ended with an unexpected error; a number is short for `{ times }`. Only for
   * tools that are `idempotent` or have the effect `'read'`. Each attempt goes through the whole
   * pipeline.
   * @default 0
   */
  readonly retry?: number | ToolRetryPolicy;

  /**
   * Whether the call may run beside others of the same step. If not, it is a barrier: the calls
   * before it end first, it runs alone, those after it follow.
   * @default true
   */
  readonly parallel?: boolean;

  /** Whether the result is the answer of the run. @default false */
  readonly returnDirect?: ToolReturnDirect;

  /** Characters that the model gets of the texts of a result, all parts together. @default 40000 */
  readonly maxResultLength?: number;

  /**
   * Makes what the model reads of what the tool returns: a provider of the tool's module or of another
   * one, or a class that can be created in the tool's module.
   * @default none: texts as they are, anything else as JSON
   */
  readonly resultConverter?: Type<ToolResultConverter>;

  /** What the model is told about an unexpected error. @default 'id' */
  readonly errors?: ToolErrorDisclosure;

  /**
   * Asked before each call. In `toolDefaults` it is for tools with the effect `'destructive'` only; in
   * `toolOverrides` it is for every tool.
   * @default nobody is asked
   */
  readonly approve?: ToolApproval;

  /**
   * How often in a run the model may correct a call of this tool that it made wrongly, before the tool
   * is not run any more. A success starts anew.
   * @default 3
   */
  readonly maxCorrections?: number;

  /** Answers for arguments that do not fit. @default the standard text */
  readonly onArgumentsError?: ToolErrorHandler;

  /** Answers for whatever the tool throws, but never for a denial. @default the standard text */
  readonly onExecutionError?: ToolErrorHandler;
}

/**
 * A policy for all tools of an agent or a run.
 *
 * @publicApi
 */
export interface SharedToolPolicy extends ToolPolicy {
  /** Answers for a tool that the run does not have. @default the standard text */
  readonly onUnknownTool?: UnknownToolHandler;
}
