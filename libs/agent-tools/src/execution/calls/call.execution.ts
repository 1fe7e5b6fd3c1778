import type { Usage } from '../../models/interfaces/chat-model.interface.js';
import type { Recording } from '../../telemetry/interfaces/runtime-tracer.interface.js';
import type { FailedToolCall } from '../../tools/interfaces/tool-policy.interface.js';
import { ToolCall } from '../../tools/tool-call.js';
import { isThenable } from '../../utils/is-thenable.js';
import { ToolResult } from '../../tools/tool-result.js';
import type { BoundTool } from '../bound-tool.js';
import type { CallEmitter } from './call.emitter.js';
import { NO_USAGE } from '../../models/answers/usage.js';
import { busy, INTERRUPTED, timedOut, type Ending } from './call.endings.js';
import type { CallFailures } from './call.failures.js';
import { CallPlace, type PlaceSeeker } from './call.place.js';
import type { ConcurrencyGate } from './concurrency.gate.js';
import { kindOfError } from './error-kind.js';
import type { CallPolicy, RetryPlan } from '../interfaces/call-policy.interface.js';
import type { CallScope } from '../interfaces/call-scope.interface.js';
import type { CallTrace } from '../interfaces/call-trace.interface.js';
import type { ToolCallRequest } from '../interfaces/tool-call-request.interface.js';
import type { ToolCallResult } from '../../tools/interfaces/tool-call-result.interface.js';
import { convertResult } from '../results/convert-result.js';
import type { ConverterResolver } from '../results/converter.resolver.js';
import { reportEnding } from './report-ending.js';
import { RunningCall, type CallOwner } from './running-call.js';
import type { ToolPipeline } from '../pipeline/tool.pipeline.js';

/** What a call is made of. */
export interface CallParts {
  readonly tool: BoundTool;
  readonly request: ToolCallRequest;
  readonly input: Record<string, unknown>;
  readonly step: number;
  readonly scope: CallScope;
  readonly policy: CallPolicy;
  readonly failures: CallFailures;
  readonly converters: ConverterResolver;
  /** Undefined if nobody observes. */
  readonly emitter: CallEmitter | undefined;
  /** Undefined if nothing is recorded. */
  readonly recording: Recording<ToolCallResult> | undefined;
}

/**
 * One call, from its start to its one result: it waits for its place, goes through the pipeline, maybe
 * several times, and is given up when its time or its run is over. It never rejects.
 */
export class CallExecution implements CallOwner, PlaceSeeker {
  private readonly started = performance.now();
  private readonly running: RunningCall;
  private resolve!: (result: ToolCallResult) => void;
  private place?: CallPlace;
  private retryTimer?: NodeJS.Timeout;
  private pipeline?: ToolPipeline;
  private call?: ToolCall;
  private trace: CallTrace = {};
  private hasEnded = false;

  constructor(private readonly parts: CallParts) {
    this.running = new RunningCall(this.started, parts.policy.timeout, this);
  }

  get usage(): Usage {
    // A copy: a tool must not change the count of its run.
    return { ...(this.parts.scope.usage ?? NO_USAGE) };
  }

  run(gates: readonly ConcurrencyGate[]): Promise<ToolCallResult> {
    const { running } = this;
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.parts.scope.running?.add(running);
      if (gates.length === 0) running.runInAsyncScope(attempt, undefined, this, 1);
      else this.wait(gates);
      // Most calls are over by now, and need no timer.
      if (!this.hasEnded) running.start();
    });
  }

  giveUp(reason: 'timeout' | 'run-aborted'): void {
    const { request, policy } = this.parts;
    this.end(reason === 'timeout' ? timedOut(request.name, policy.timeout) : INTERRUPTED);
  }

  report(call: ToolCall, value: unknown): void {
    const { scope, emitter } = this.parts;
    if (!scope.onProgress && !emitter) return;
    const middleware = this.pipeline?.middleware;
    const allowed = middleware ? middleware.progress(value, call) : { value };
    if (!allowed) return;
    scope.onProgress?.(call, allowed.value);
    emitter?.onProgress(allowed.value);
  }

  onPlace(): void {
    this.running.runInAsyncScope(attempt, undefined, this, 1);
  }

  onBusy(): void {
    this.end(busy(this.parts.request.name));
  }

  private wait(gates: readonly ConcurrencyGate[]): void {
    this.running.endWhenAborted();
    this.place = new CallPlace(gates, this);
    this.place.take();
  }

  attempt(count: number): void {
    const { tool, emitter } = this.parts;
    this.running.goOn();
    emitter?.onStart(count);
    this.trace = {};
    const pipeline = tool.pipeline();
    if (!(pipeline instanceof Promise)) {
      this.invoke(pipeline, count);
      return;
    }
    pipeline.then(
      (built) => this.invoke(built, count),
      (error: unknown) => this.fail(error, count),
    );
  }

  private invoke(pipeline: ToolPipeline, count: number): void {
    const { request, input, step, scope, policy, emitter } = this.parts;
    const { running, trace } = this;
    const call = new ToolCall(request.id, request.name, input, step, scope.run, running, count);
    this.pipeline = pipeline;
    this.call = call;
    const { approve } = policy;
    let outcome: unknown;
    try {
      outcome = pipeline.invoke({
        call,
        lifetime: running,
        trace,
        scope,
        approve,
        observer: emitter,
      });
    } catch (error) {
      this.fail(error, count);
      return;
    }
    if (!isThenable(outcome)) {
      this.settle(outcome, call);
      return;
    }
    outcome.then(
      (value) => this.settle(value, call),
      (error: unknown) => this.fail(error, count),
    );
  }

  private settle(value: unknown, call: ToolCall): void {
    const { tool, policy, emitter } = this.parts;
    if (this.hasEnded) return;
    if (this.pipeline?.middleware || tool.output || policy.resultConverter) {
      // The tool has done its work: what fails here is not repeated.
      this.finish(value, call).catch((error: unknown) => this.fail(error, Infinity));
      return;
    }
    try {
      emitter?.onOutput(value);
      this.succeed(value, value);
    } catch (error) {
      this.fail(error, Infinity);
    }
  }

  /** Everything that may stand between the pipeline and the result. */
  private async finish(returned: unknown, call: ToolCall): Promise<void> {
    const { tool, policy, emitter, converters, scope } = this.parts;
    const middleware = this.pipeline?.middleware;
    let value = middleware ? await middleware.output(returned, call) : returned;
    // What a filter answers is about an error, which no output schema describes.
    if (tool.output && !this.trace.isFiltered) value = await tool.output.check(value);
    if (this.hasEnded) return;
    emitter?.onOutput(value);
    const { resultConverter } = policy;
    this.succeed(
      value,
      resultConverter
        ? await converters.convert(resultConverter, value, call, scope, this.pipeline?.module)
        : value,
    );
  }

  /** The conversion may fail: a value's own `toJSON` is code of the tool. */
  private succeed(value: unknown, shown: unknown): void {
    const { tool, policy, scope } = this.parts;
    const content = convertResult(shown, policy.maxResultLength);
    scope.corrections?.delete(tool);
    this.end({
      status: 'success',
      content,
      value: value instanceof ToolResult ? value.value : value,
    });
  }

  private fail(error: unknown, count: number): void {
    if (this.hasEnded) return;
    if (this.running.aborted) {
      this.end({ ...INTERRUPTED, error });
      return;
    }
    const { tool, policy, scope, failures } = this.parts;
    const { retry } = policy;
    if (retry && count <= retry.times && isRepeatable(error, retry)) {
      this.retry(error, retry, count);
      return;
    }
    const ending = failures.toEnding(error, tool, policy, this.trace, scope, this.describe());
    // A handler that throws is an answer as well: this never rejects.
    if (ending instanceof Promise) void ending.then((answered) => this.end(answered));
    else this.end(ending);
  }

  private retry(error: unknown, { delay, maxDelay }: RetryPlan, count: number): void {
    // Equal jitter: at least half of the wait, so that a server in trouble is left alone for a while.
    const longest = Math.min(maxDelay, delay * 2 ** (count - 1));
    const wait = Math.round(longest * (0.5 + Math.random() / 2));
    const { emitter, failures, request } = this.parts;
    failures.logRetry(error, request.name, count, wait);
    emitter?.onRetry(count, error, wait);
    this.running.endWhenAborted();
    this.retryTimer = setTimeout(attempt, wait, this, count + 1);
  }

  private describe(): FailedToolCall {
    const { request, step, scope } = this.parts;
    const { id: callId, name } = request;
    return { callId, name, step, runId: scope.run.id, input: this.call?.input };
  }

  private end(ending: Ending): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { policy, scope } = this.parts;
    this.running.end();
    scope.running?.delete(this.running);
    if (this.retryTimer) clearTimeout(this.retryTimer);
    this.place?.leave();
    const result = reportEnding(this.parts, ending, this.started, policy.maxResultLength);
    if (this.call) this.pipeline?.middleware?.settled(result, this.call);
    this.resolve(result);
    if (ending.fatal) scope.fail?.(ending.error);
  }
}

function attempt(execution: CallExecution, count: number): void {
  execution.attempt(count);
}

/** Only what nobody expected: a tool that says what is wrong would say it again. */
function isRepeatable(error: unknown, { when }: RetryPlan): boolean {
  try {
    if (kindOfError(error) !== 'unexpected') return false;
    return when ? when(error) : true;
  } catch {
    return false;
  }
}
