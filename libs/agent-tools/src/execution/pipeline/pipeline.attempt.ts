import type { ToolApproval } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { askApproval } from './ask-approval.js';
import type { InterceptedCall, StreamKind } from './interceptor.chain.js';
import type { CallLifetime } from '../interfaces/call-lifetime.interface.js';
import type { PipelineInstances, PipelinePlan } from '../interfaces/pipeline-plan.interface.js';
import type { ToolExecutionContext } from '../tool-execution-context.js';

/** Told how far an attempt has come. */
export interface AttemptObserver {
  onAuthorized(): void;
  onInput(input: unknown): void;
  onStreamStart(): void;
  onStreamEnd(): void;
}

/**
 * The innermost part of the pipeline for one call: validation, approval, pipes, method. It returns
 * promises only where something is asynchronous: most validations and pipes are not, and a promise for
 * each would be most of the cost of a call.
 */
export class PipelineAttempt implements InterceptedCall {
  failure?: InterceptedCall['failure'];
  stream?: StreamKind | undefined;
  yielded = 0;
  hasReturned = false;

  private input: unknown;
  private validated: unknown;

  constructor(
    private readonly plan: PipelinePlan,
    private readonly instances: PipelineInstances,
    private readonly call: ToolCall,
    private readonly context: ToolExecutionContext,
    private readonly lifetime: CallLifetime,
    private readonly approve: ToolApproval | undefined,
    private readonly observer: AttemptObserver | undefined,
  ) {
    this.input = call.input;
  }

  handle(): unknown {
    const { call } = this;
    // A guard or an interceptor may have put another input in place. An interceptor may also repeat the
    // call, whose input is the validated one by then.
    if (call.input !== this.validated) this.input = call.input;
    this.failure = undefined;
    this.stream = undefined;
    this.yielded = 0;
    this.hasReturned = false;
    const { middleware } = this.plan;
    if (!middleware) return this.validate(this.input);
    const input = middleware.input(this.input, call);
    return isThenable(input)
      ? toPromise(input).then((value) => this.validate(value))
      : this.validate(input);
  }

  openStream(kind: StreamKind): void {
    this.stream = kind;
    this.observer?.onStreamStart();
  }

  get isObserved(): boolean {
    return this.observer !== undefined;
  }

  endStream(): void {
    this.observer?.onStreamEnd();
  }

  progress(value: unknown): void {
    this.call.progress(value);
  }

  private validate(input: unknown): unknown {
    const valid = this.plan.validator.validate(input as Record<string, unknown>);
    return isThenable(valid)
      ? toPromise(valid).then((value) => this.accept(value))
      : this.accept(valid);
  }

  private accept(valid: unknown): unknown {
    if (!this.approve) return this.bindValid(valid);
    this.validated = valid;
    this.call.input = valid;
    const approval = askApproval(this.approve, this.call, this.context);
    return approval ? approval.then(() => this.bindApproved()) : this.bindApproved();
  }

  private bindApproved(): unknown {
    this.observer?.onAuthorized();
    // Who approves may change the input, which must still fit.
    if (this.call.input === this.validated) return this.bind();
    const valid = this.plan.validator.validate(this.call.input as Record<string, unknown>);
    return isThenable(valid)
      ? toPromise(valid).then((value) => this.bindValid(value))
      : this.bindValid(valid);
  }

  private bindValid(valid: unknown): unknown {
    this.validated = valid;
    this.call.input = valid;
    return this.bind();
  }

  private bind(): unknown {
    this.observer?.onInput(this.call.input);
    const { pipes, ownPipes } = this.instances;
    const args = this.plan.parameters.bind(this.call, this.context, pipes, ownPipes);
    return isThenable(args)
      ? toPromise(args).then((values) => this.callMethod(values))
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
