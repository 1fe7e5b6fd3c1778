import type { ContextId } from '@nestjs/core';
import type { ToolApproval } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import type { HostModule } from '../enhancers/enhancer.resolver.js';
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
  sharedInstances,
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
  /** Undefined if some instances belong to a context. */
  private shared?: PipelineInstances | undefined;
  private readonly byContext = new WeakMap<ContextId, Promise<PipelineInstances>>();

  constructor(
    private readonly plan: PipelinePlan,
    private readonly globalEnhancers: GlobalEnhancers,
    private readonly contextIds: RunContextIds,
  ) {
    this.globals = globalEnhancers.current();
    this.sources = combineSources(this.globals, plan.enhancers);
    this.shared = sharedInstances(plan, this.sources);
  }

  /** Resolves to what the tool returns, or to what an exception filter makes of its error. */
  invoke(attempt: PipelineCall): Promise<unknown> {
    this.lookForGlobals();
    return this.shared
      ? this.run(attempt, this.contextOf(attempt), this.shared)
      : this.runInContext(attempt);
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
    return explainPipeline(this.plan, this.globals, this.plan);
  }

  private async runInContext(attempt: PipelineCall): Promise<unknown> {
    const context = this.contextOf(attempt);
    let instances: PipelineInstances;
    try {
      instances = await this.instances(this.contextIds.of(attempt.scope));
    } catch (error) {
      // As in Nest, filters answer also for a constructor that throws.
      return answerOf(staticFilters(this.sources), error, context, attempt.trace);
    }
    return this.run(attempt, context, instances);
  }

  private async run(
    { call, lifetime, trace, approve, observer }: PipelineCall,
    context: ToolExecutionContext,
    instances: PipelineInstances,
  ): Promise<unknown> {
    const { guards, interceptors, filters } = instances;
    const attempt = new PipelineAttempt(
      this.plan,
      instances,
      call,
      context,
      lifetime,
      approve,
      observer,
    );
    try {
      const asked = guards.length > 0 ? runGuards(guards, context, trace) : undefined;
      if (asked) await asked;
      if (!approve) observer?.onAuthorized();
      return await intercept(interceptors, context, attempt, lifetime);
    } catch (error) {
      // Nobody waits for what a filter would make of the end of a call that was given up.
      if (lifetime.aborted) throw error;
      trace.culprit = findCulprit(error, trace, interceptors, attempt);
      trace.missing = context.missing;
      const crash = findCrash(error, trace, interceptors, attempt);
      return await answerOf(filters, error, context, trace, crash);
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

  private instances(contextId: ContextId): Promise<PipelineInstances> {
    const known = this.byContext.get(contextId);
    if (known) return known;
    const instances = instancesOf(this.plan, this.sources, contextId);
    this.byContext.set(contextId, instances);
    // A constructor that threw may succeed in the next call.
    instances.catch(() => this.byContext.delete(contextId));
    return instances;
  }

  private lookForGlobals(): void {
    const globals = this.globalEnhancers.current();
    if (globals === this.globals) return;
    this.globals = globals;
    this.sources = combineSources(globals, this.plan.enhancers);
    this.shared = sharedInstances(this.plan, this.sources);
  }
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
