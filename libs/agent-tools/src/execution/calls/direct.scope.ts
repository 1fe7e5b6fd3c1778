import type { AgentRun } from '../../tools/interfaces/agent-run.interface.js';
import type { BoundTool } from '../bound-tool.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { RunningCall } from './running-call.js';

/** The scope of a call without an agent: a run of its own. */
export class DirectScope implements CallScope {
  contextId: CallScope['contextId'];
  running?: Set<RunningCall>;
  /** What a handler of errors threw. */
  failure?: { readonly error: unknown };

  constructor(
    readonly run: AgentRun,
    readonly tools: ReadonlyMap<string, BoundTool>,
    readonly aborted: boolean,
  ) {}

  fail(error: unknown): void {
    this.failure ??= { error };
  }
}
