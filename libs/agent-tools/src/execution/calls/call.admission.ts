import { Injectable } from '@nestjs/common';
import { ToolArgumentsException } from '../../arguments/tool-arguments.exception.js';
import type { FailedToolCall } from '../../tools/interfaces/tool-policy.interface.js';
import type { BoundTool } from '../bound-tool.js';
import { exhausted, INTERRUPTED, toolNames, unknownTool, type Ending } from './call.endings.js';
import { CallFailures } from './call.failures.js';
import { CallPolicies } from './call.policies.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { ToolCallRequest } from '../interfaces/tool-call-request.interface.js';

/** Knows which calls cannot even begin, and how they end. */
@Injectable()
export class CallAdmission {
  constructor(
    private readonly policies: CallPolicies,
    private readonly failures: CallFailures,
  ) {}

  /** Undefined if the call can begin. */
  refuse(
    request: ToolCallRequest,
    tool: BoundTool | undefined,
    step: number,
    scope: CallScope,
  ): Ending | Promise<Ending> | undefined {
    if (scope.aborted) return INTERRUPTED;
    if (!tool || tool.isRemoved) return this.refuseUnknown(request, step, scope);
    const { name, arguments: parsed } = request;
    const isUnusable = 'problem' in parsed;
    // Most runs have no wrong call, and need no policy for it.
    if (!isUnusable && !scope.corrections) return undefined;
    const policy = this.policies.of(tool, scope);
    const wrong = scope.corrections?.get(tool) ?? 0;
    if (wrong > policy.maxCorrections) return exhausted(name, policy.maxCorrections);
    if (!isUnusable) return undefined;
    const error = new ToolArgumentsException(name, [parsed.problem]);
    return this.failures.toEnding(error, tool, policy, {}, scope, describe(request, step, scope));
  }

  private refuseUnknown(
    request: ToolCallRequest,
    step: number,
    scope: CallScope,
  ): Ending | Promise<Ending> {
    const count = (scope.unknownCalls ?? 0) + 1;
    scope.unknownCalls = count;
    const areNamesListed = count <= (scope.unknownToolLimit ?? Infinity);
    const standard = unknownTool(request.name, scope, areNamesListed);
    const handler = this.policies.onUnknownTool(scope);
    if (!handler) return standard;
    const names = [...toolNames(scope)];
    const call = describe(request, step, scope);
    return this.failures.ask(() => handler(call, names), undefined, standard, call);
  }
}

function describe(
  { id: callId, name, arguments: parsed }: ToolCallRequest,
  step: number,
  { run }: CallScope,
): FailedToolCall {
  const input = 'problem' in parsed ? undefined : parsed.input;
  return { callId, name, step, runId: run.id, input };
}
