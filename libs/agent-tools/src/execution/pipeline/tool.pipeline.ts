import type { ToolApproval } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import type { HostModule } from '../enhancers/enhancer.resolver.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { findCrash, findCulprit } from './culprit.finder.js';
import { runFilters } from './filter.runner.js';
import type { GlobalEnhancers } from '../enhancers/global-enhancers.js';
import { runGuards } from './guard.runner.js';
import { intercept } from './interceptor.chain.js';
import type { CallLifetime } from '../interfaces/call-lifetime.interface.js';
import type { CallTrace } from '../interfaces/call-trace.interface.js';
import type { EnhancerSources } from '../interfaces/enhancers.interface.js';
import type { PipelineInstances, PipelinePlan } from '../interfaces/pipeline-plan.interface.js';
import { PipelineAttempt, type AttemptObserver } from './pipeline.attempt.js';
import type { MiddlewareChain } from './middleware.chain.js';
import { explainPipeline } from './pipeline.explainer.js';
import {
  combineSources,
  instancesOf,
  sharedEnhancers,
  staticFilters,
} from './pipeline.instances.js';
import type { RunContextIds, RunScope } from '../enhancers/run-context-ids.js';
import type { ToolEnhancerException } from '../exceptions/tool-enhancer.exception.js';
import { ToolExecutionContext } from '../tool-execution-context.js';

/** What one attempt of a call brings to the pipeline. */
export interface PipelineCall {
  readonly call: ToolCall;
  readonly lifetime: CallLifetime;
  readonly trace: CallTrace;
  readonly scope: RunScope;
  readonly approve: ToolApproval | undefined;
  /** Undefined if nobody observes. */
  readonly observer: AttemptObserver | undefined;
}

/**
 * One call through Nest's pipeline: guards, interceptors, validation, pipes, method, interceptors,
 * filters. Everything that does not depend on the call is prepared once.
 */
export class ToolPipeline {
  private globals: EnhancerSources;
  private sources: EnhancerSources;
  /** Undefined if some enhancers belong to a context. */
  private shared?: PipelineInstances | undefined;

  constructor(
    private readonly plan: PipelinePlan,
    private readonly globalEnhancers: GlobalEnhancers,
    private readonly contextIds: RunContextIds,
  ) {
    this.globals = globalEnhancers.current();
    this.sources = combineSources(this.globals, plan.enhancers);
    this.shared = sharedEnhancers(plan, this.sources);
  }

  /**
   * Gives what the tool returns, or what an exception filter makes of its error; a promise only if
   * something on the way is asynchronous.
   */
  invoke(attempt: PipelineCall): unknown {
    this.lookForGlobals();
    const context = this.contextOf(attempt);
    return this.shared && !this.plan.scopedHost
      ? this.run(attempt, context, this.shared)
      : this.runInContext(attempt, context);
  }

  get module(): HostModule {
    return this.plan.module;
  }

  get middleware(): MiddlewareChain | undefined {
    return this.plan.middleware;
  }

  /** What runs, in its order. */
  explain(): ReturnType<typeof explainPipeline> {
    this.lookForGlobals();
    return explainPipeline(this.plan, this.globals);
  }

  private async runInContext(
    attempt: PipelineCall,
    context: ToolExecutionContext,
  ): Promise<unknown> {
    let instances: PipelineInstances;
    try {
      instances = await this.instances(attempt.scope);
    } catch (error) {
      // As in Nest, filters answer also for a constructor that throws.
      return answerOf(staticFilters(this.sources), error, context, attempt.trace);
    }
    return this.run(attempt, context, instances);
  }

  private run(
    { call, lifetime, trace, approve, observer }: PipelineCall,
    context: ToolExecutionContext,
    instances: PipelineInstances,
  ): unknown {
    const { guards, interceptors } = instances;
    const { plan } = this;
    const attempt = new PipelineAttempt(
      plan,
      instances,
      call,
      context,
      lifetime,
      approve,
      observer,
    );
    const proceed = () => {
      if (!approve) observer?.onAuthorized();
      return intercept(interceptors, context, attempt, lifetime);
    };
    const recover = (error: unknown) =>
      // Nobody waits for what a filter would make of the end of a call that was given up.
      lifetime.aborted
        ? Promise.reject(error)
        : answerFor(error, trace, context, instances, attempt);
    try {
      const asked = guards.length > 0 ? runGuards(guards, context, trace) : undefined;
      const result = asked ? asked.then(proceed) : proceed();
      return isThenable(result) ? toPromise(result).then(undefined, recover) : result;
    } catch (error) {
      return recover(error);
    }
  }

  private contextOf({ call }: PipelineCall): ToolExecutionContext {
    const { hostClass, handler } = this.plan;
    return new ToolExecutionContext(
      [call.run.request, undefined, undefined, call],
      hostClass,
      handler,
    );
  }

  /** The calls of one run share what they found; what Nest or we have made stays the same anyway. */
  private async instances(scope: RunScope): Promise<PipelineInstances> {
    const { plan, sources, shared } = this;
    const known = scope.instances?.get(this);
    if (known && known.sources === sources) return known.instances;
    const instances = await instancesOf(plan, sources, shared, this.contextIds.of(scope));
    scope.instances?.set(this, { sources, instances });
    return instances;
  }

  private lookForGlobals(): void {
    const globals = this.globalEnhancers.current();
    if (globals === this.globals) return;
    this.globals = globals;
    this.sources = combineSources(globals, this.plan.enhancers);
    this.shared = sharedEnhancers(this.plan, this.sources);
  }
}

function answerFor(
  error: unknown,
  trace: CallTrace,
  context: ToolExecutionContext,
  { interceptors, filters }: PipelineInstances,
  attempt: PipelineAttempt,
): Promise<unknown> {
  trace.culprit = findCulprit(error, trace, interceptors, attempt);
  trace.lacksRequest = context.lacksRequest;
  trace.lacksResponse = context.lacksResponse;
  const crash = findCrash(error, trace, interceptors, attempt);
  return answerOf(filters, error, context, trace, crash);
}

/**
 * @param crash of an interceptor that put its own error in the place of the tool's, which filters get to
 * see all the same
 */
async function answerOf(
  filters: PipelineInstances['filters'],
  error: unknown,
  context: ToolExecutionContext,
  trace: CallTrace,
  crash?: ToolEnhancerException,
): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await runFilters(filters, crash ? crash.cause : error, context);
  } catch (unhandled) {
    throw crash && unhandled === crash.cause ? crash : unhandled;
  }
  trace.isFiltered = true;
  return answer;
}
