import type { ExecutionContext } from '@nestjs/common';
import type { ToolCall } from '../tools/tool-call.js';
import { isThenable } from '../utils/is-thenable.js';
import type { CallHandler } from './interceptor.chain.js';
import type { CallLifetime } from './interfaces/call-lifetime.interface.js';
import type { PipelineInstances, PipelinePlan } from './interfaces/pipeline-plan.interface.js';
import type { ToolExecutionContext } from './tool-execution-context.js';

/**
 * Asks whether a call may run, once it is known what would run.
 *
 * @throws Error if not
 */
export type ApproveCall = (call: ToolCall, context: ExecutionContext) => void | Promise<void>;

/**
 * The innermost part of the pipeline for one call: validation, approval, pipes, method. It returns
 * promises only where something is asynchronous: most validations and pipes are not, and a promise for
 * each would be most of the cost of a call.
 */
export class PipelineAttempt implements CallHandler {
  failure?: CallHandler['failure'];
  stream?: CallHandler['stream'];
  isReturning = false;

  private input: unknown;
  private validated: unknown;

  constructor(
    private readonly plan: PipelinePlan,
    private readonly instances: PipelineInstances,
    private readonly call: ToolCall,
    private readonly context: ToolExecutionContext,
    private readonly lifetime: CallLifetime,
    private readonly approve: ApproveCall | undefined,
  ) {
    this.input = call.input;
  }

  handle(): unknown {
    const { call } = this;
    // A guard or an interceptor may have put another input in place. An interceptor may also repeat the
    // call, whose input is the validated one by then.
    if (call.input !== this.validated) this.input = call.input;
    this.failure = undefined;
    const valid = this.plan.validator.validate(this.input as Record<string, unknown>);
    return isThenable(valid) ? valid.then((value) => this.accept(value)) : this.accept(valid);
  }

  progress(value: unknown): void {
    this.call.progress(value);
  }

  private accept(valid: unknown): unknown {
    this.validated = valid;
    this.call.input = valid;
    const approval = this.approve?.(this.call, this.context);
    return approval ? approval.then(() => this.bind()) : this.bind();
  }

  private bind(): unknown {
    const { pipes, ownPipes } = this.instances;
    const args = this.plan.parameters.bind(this.call, this.context, pipes, ownPipes);
    return isThenable(args)
      ? args.then((values) => this.callMethod(values))
      : this.callMethod(args);
  }

  private callMethod(args: readonly unknown[]): unknown {
    // Guards, interceptors and pipes may have taken longer than the call had.
    if (this.lifetime.aborted) throw new DOMException('The call was given up.', 'AbortError');
    const { plan, instances } = this;
    const host = (instances.host ?? plan.instance()) as Record<
      PropertyKey,
      (...args: unknown[]) => unknown
    >;
    // Called late and by name: wrapping decorators, spies and proxies take part.
    return host[plan.methodName](...args);
  }
}
