import type { Usage } from '../../models/interfaces/chat-model.interface.js';
import type { SharedToolPolicy } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import type { RunScope } from '../enhancers/run-context-ids.js';
import type { BoundTool } from '../bound-tool.js';
import type { RunningCall } from '../calls/running-call.js';
import type { CallPolicy } from './call-policy.interface.js';

/** What the calls of one run share. */
export interface CallScope extends RunScope {
  /** The tools that this run may call. */
  readonly tools: ReadonlyMap<string, BoundTool>;
  /** The calls that are running now, so that an aborted run reaches them without a listener each. */
  readonly running?: Set<RunningCall> | undefined;
  readonly aborted: boolean;
  readonly onProgress?: (call: ToolCall, value: unknown) => void;

  readonly agentPolicy?: SharedToolPolicy | undefined;
  readonly runPolicy?: SharedToolPolicy | undefined;
  /** Decided with the first call of each tool, if the agent or the run has a word in it. */
  policies?: Map<BoundTool, CallPolicy> | undefined;

  /** Tokens so far; undefined without an agent. */
  readonly usage?: Usage;
  /** Wrong calls of each tool since its last success; counted in runs of agents. */
  corrections?: Map<BoundTool, number> | undefined;
  /** How many calls of invented tools there were. */
  unknownCalls?: number;
  /** How many of them are answered with the names of the real ones. @default all */
  readonly unknownToolLimit?: number;
  /** Told what a handler of errors threw, which ends the run. */
  fail?(error: unknown): void;
}
