import type { ContextId } from '@nestjs/core';
import type { AgentRun } from '../../tools/interfaces/agent-run.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import type { BoundTool } from '../bound-tool.js';
import type { RunningCall } from '../running-call.js';

/** What the calls of one run share. */
export interface CallScope {
  readonly run: AgentRun;
  /** Of the instances that belong to this run; made when a call needs one. */
  contextId?: ContextId | undefined;
  /** The tools that this run may call. */
  readonly tools: ReadonlyMap<string, BoundTool>;
  /** The calls that are running now, so that an aborted run reaches them without a listener each. */
  readonly running?: Set<RunningCall> | undefined;
  readonly aborted: boolean;
  readonly onProgress?: (call: ToolCall, value: unknown) => void;
}
