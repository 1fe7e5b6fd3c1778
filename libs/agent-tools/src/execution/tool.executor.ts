import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { parseArguments } from '../arguments/parse-arguments.js';
import { AgentEvents } from '../events/agent-events.js';
import { Telemetry } from '../telemetry/telemetry.js';
import type { AgentRunContext } from '../tools/interfaces/agent-run-context.interface.js';
import { ToolRegistry } from '../tools/tool.registry.js';
import { isDebugEnabled } from '../utils/is-debug-enabled.js';
import type { BoundTool } from './bound-tool.js';
import { CallEmitter } from './calls/call.emitter.js';
import { CallAdmission } from './calls/call.admission.js';
import { INTERRUPTED, type Ending } from './calls/call.endings.js';
import { CallExecution, type CallParts } from './calls/call.execution.js';
import { CallFailures } from './calls/call.failures.js';
import { CallPolicies } from './calls/call.policies.js';
import { ConcurrencyGates } from './calls/concurrency.gates.js';
import { DirectScope } from './calls/direct.scope.js';
import { EarlyEnding } from './calls/early-ending.js';
import type { CallPolicy } from './interfaces/call-policy.interface.js';
import type { CallScope } from './interfaces/call-scope.interface.js';
import type { ToolCallRequest } from './interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../tools/interfaces/tool-call-result.interface.js';
import { ConverterResolver } from './results/converter.resolver.js';
import type { RunningCall } from './calls/running-call.js';

/**
 * Options of `ToolExecutor#execute()`.
 *
 * @publicApi
 */
export interface ToolExecuteOptions {
  /** The request, where guards and parameter decorators look for it. @default undefined */
  readonly request?: unknown;
  /** The application's values, for `@RunContext()`. @default {} */
  readonly context?: Partial<AgentRunContext>;
  /** Aborts the call, which is then a result with the status `interrupted`. @default none */
  readonly signal?: AbortSignal;
}

/**
 * Executes tools through Nest's pipeline, for agents and for code.
 *
 * @publicApi
 */
@Injectable()
export class ToolExecutor {
  private readonly logger = new Logger('AgentTools');
  private readonly idPrefix = randomUUID().slice(0, 8);
  private count = 0;

  constructor(
    private readonly registry: ToolRegistry<BoundTool>,
    private readonly policies: CallPolicies,
    private readonly admission: CallAdmission,
    private readonly gates: ConcurrencyGates,
    private readonly failures: CallFailures,
    private readonly converters: ConverterResolver,
    private readonly events: AgentEvents,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Calls one tool as a model would, without an agent. A denial, unusable arguments or an exception are
   * results with that status.
   *
   * @param args JSON text of an object, or the object itself
   * @throws only what a handler of errors throws, of the tool or of `toolDefaults`
   */
  async execute(
    name: string,
    args: unknown,
    { request, context = NO_CONTEXT, signal }: ToolExecuteOptions = {},
  ): Promise<ToolCallResult> {
    const tools = this.registry.byName();
    // A random id for each call would be a noticeable part of its cost.
    const id = `${this.idPrefix}-${++this.count}`;
    // Who reads what a model was told knows the tool by its other name.
    const tool = tools.get(name) ?? this.registry.peekChatName(name);
    const parsed = tool ? tool.arguments.read(args) : parseArguments(args);
    const call: ToolCallRequest = {
      id,
      name: tool?.definition.name ?? name,
      raw: args,
      arguments: parsed,
    };
    const scope = new DirectScope({ id, request, context }, tools, signal?.aborted ?? false);
    const result = await (signal ? this.callUntil(signal, call, scope) : this.call(call, 0, scope));
    if (scope.failure) throw scope.failure.error;
    return result;
  }

  /**
   * Runs one call of a run in an async context of its own, so that a store which a guard enters is
   * not seen by the calls beside it. Never rejects.
   *
   * @internal
   */
  call(request: ToolCallRequest, step: number, scope: CallScope): Promise<ToolCallResult> {
    const { name, arguments: parsed } = request;
    const tool = scope.tools.get(name);
    const observed = this.observe(request, tool, step, scope);
    const refusal = this.admission.refuse(request, tool, step, scope);
    if (refusal || !tool || 'problem' in parsed) {
      return this.endEarly(request, tool, scope, observed, refusal ?? INTERRUPTED);
    }
    if (parsed.repairs.length > 0) this.logRepairs(name, parsed.repairs);
    const { failures, converters } = this;
    const policy = this.policies.of(tool, scope);
    const { input } = parsed;
    const gates = this.gates.of(tool);
    const begin = () =>
      new CallExecution({
        tool,
        request,
        input,
        step,
        scope,
        policy,
        failures,
        converters,
        ...observed,
      }).run(gates);
    return observed.recording ? observed.recording.run(begin) : begin();
  }

  /**
   * Ends a call that the run does not let begin, for its observers as well.
   *
   * @internal
   */
  refuse(
    request: ToolCallRequest,
    step: number,
    scope: CallScope,
    content: string,
  ): Promise<ToolCallResult> {
    const tool = scope.tools.get(request.name);
    const observed = this.observe(request, tool, step, scope);
    return this.endEarly(request, tool, scope, observed, { status: 'error', content });
  }

  /** @internal */
  policyOf(tool: BoundTool, scope: CallScope): CallPolicy {
    return this.policies.of(tool, scope);
  }

  private observe(
    request: ToolCallRequest,
    tool: BoundTool | undefined,
    step: number,
    scope: CallScope,
  ): Pick<CallParts, 'emitter' | 'recording'> {
    const { id, name, raw, arguments: parsed } = request;
    // The first, as it says to which trace the run belongs.
    const recording = this.telemetry.tracer?.startTool(
      { id, name, input: 'problem' in parsed ? raw : parsed.input },
      tool?.definition,
      step === 0 ? scope.run : undefined,
    );
    const emitter = this.events.observed
      ? new CallEmitter(this.events, request, step, scope)
      : undefined;
    emitter?.onReceived(tool !== undefined);
    return { emitter, recording };
  }

  private endEarly(
    request: ToolCallRequest,
    tool: BoundTool | undefined,
    scope: CallScope,
    observed: Pick<CallParts, 'emitter' | 'recording'>,
    ending: Ending | Promise<Ending>,
  ): Promise<ToolCallResult> {
    const limits = this.policies.limitsOf(tool, scope);
    return new EarlyEnding({ request, scope, ...limits, ...observed }).settle(ending);
  }

  private async callUntil(
    signal: AbortSignal,
    call: ToolCallRequest,
    scope: DirectScope,
  ): Promise<ToolCallResult> {
    const running = new Set<RunningCall>();
    const abort = () => {
      for (const one of running) one.abortByRun(signal.reason);
    };
    scope.running = running;
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.call(call, 0, scope);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  private logRepairs(name: string, repairs: readonly string[]): void {
    if (!isDebugEnabled()) return;
    this.logger.debug(`Repaired the arguments of "${name}": ${repairs.join('; ')}`);
  }
}

const NO_CONTEXT: Partial<AgentRunContext> = {};
