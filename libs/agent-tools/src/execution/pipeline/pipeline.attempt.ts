import type { ToolApproval } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { askApproval, refuseChanged, wholeOf } from './ask-approval.js';
import type { InterceptedCall, StreamKind } from './interceptor.chain.js';
import type { CallLifetime } from '../interfaces/call-lifetime.interface.js';
import type { PipelineInstances, PipelinePlan } from '../interfaces/pipeline-plan.interface.js';
import type { ToolExecutionContext } from '../tool-execution-context.js';

/** An approval that changes the input asks for another one. */
const MAX_APPROVALS = 3;

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
  pass = 0;
  yielded = 0;
  hasReturned = false;

  private input: unknown;
  private validated: unknown;
  /** The passes that nobody waits for any more. */
  private left?: Set<number>;

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
    const pass = ++this.pass;
    const { middleware } = this.plan;
    if (!middleware) return this.validate(this.input, pass);
    const input = middleware.input(this.input, call);
    return isThenable(input)
      ? toPromise(input).then((value) => this.validate(value, pass))
      : this.validate(input, pass);
  }

  leave(pass: number): void {
    this.left ??= new Set();
    this.left.add(pass);
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

  private validate(input: unknown, pass: number): unknown {
    const valid = this.plan.validator.validate(input as Record<string, unknown>);
    return isThenable(valid)
      ? toPromise(valid).then((value) => this.accept(value, pass))
      : this.accept(valid, pass);
  }

  private accept(valid: unknown, pass: number): unknown {
    this.validated = valid;
    this.call.input = valid;
    return this.approve ? this.ask(this.approve, pass, MAX_APPROVALS) : this.bind(pass);
  }

  /**
   * What runs must be what was approved: if another input was put in place meanwhile, by whoever approves
   * or by an interceptor, that one is validated and asked about as well.
   */
  private ask(approve: ToolApproval, pass: number, left: number): unknown {
    this.refuseLeft(pass);
    const { call } = this;
    if (left === 0) throw new Error(`The input of "${call.name}" is another one at each approval.`);
    const asked = call.input;
    const before = wholeOf(asked);
    const settle = () => {
      if (call.input === asked) {
        refuseChanged(call, before);
        return this.proceed(pass);
      }
      const valid = this.plan.validator.validate(call.input as Record<string, unknown>);
      return isThenable(valid)
        ? toPromise(valid).then((value) => this.askAgain(approve, pass, left, value, before))
        : this.askAgain(approve, pass, left, valid, before);
    };
    const approval = askApproval(approve, call, this.context);
    return approval ? approval.then(settle) : settle();
  }

  private askAgain(
    approve: ToolApproval,
    pass: number,
    left: number,
    valid: unknown,
    before: string,
  ): unknown {
    this.validated = valid;
    this.call.input = valid;
    // Whoever approves always puts the same in place.
    return wholeOf(valid) === before ? this.proceed(pass) : this.ask(approve, pass, left - 1);
  }

  private proceed(pass: number): unknown {
    this.observer?.onAuthorized();
    return this.bind(pass);
  }

  private bind(pass: number): unknown {
    this.observer?.onInput(this.call.input);
    const { pipes, ownPipes } = this.instances;
    const args = this.plan.parameters.bind(this.call, this.context, pipes, ownPipes);
    return isThenable(args)
      ? toPromise(args).then((values) => this.callMethod(values, pass))
      : this.callMethod(args, pass);
  }

  private callMethod(args: readonly unknown[], pass: number): unknown {
    this.refuseLeft(pass);
    const { methodName, check, instance } = this.plan;
    const host = (this.instances.host ?? instance()) as Record<
      PropertyKey,
      (...args: unknown[]) => unknown
    >;
    // Called late and by name: wrapping decorators, spies and proxies take part.
    const method = host[methodName];
    check.accept(host, method);
    return method.apply(host, args as unknown[]);
  }

  /** Guards, interceptors, approval and pipes may have taken longer than somebody waits. */
  private refuseLeft(pass: number): void {
    if (this.lifetime.aborted || this.left?.has(pass)) {
      throw new DOMException('The call was given up.', 'AbortError');
    }
  }
}
