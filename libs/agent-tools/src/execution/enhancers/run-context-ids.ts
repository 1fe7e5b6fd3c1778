import { Injectable } from '@nestjs/common';
import { ContextIdFactory, ModuleRef, type ContextId } from '@nestjs/core';
import type { EnhancerSources } from '../interfaces/enhancers.interface.js';
import type { PipelineInstances } from '../interfaces/pipeline-plan.interface.js';
import type { AgentRun } from '../../tools/interfaces/agent-run.interface.js';

export interface FoundInstances {
  /** From which they were made: `useGlobal…` may have added some since. */
  readonly sources: EnhancerSources;
  readonly instances: PipelineInstances;
}

/** The part of a run that its instances belong to. */
export interface RunScope {
  readonly run: AgentRun;
  contextId?: ContextId | undefined;
  /** What the calls of a run with several calls found already, by pipeline. */
  readonly instances?: Map<object, FoundInstances>;
}

/**
 * Gives each run the one context id under which its request-scoped, transient and durable providers
 * live. A run that was started with a request shares the instances of that request.
 */
@Injectable()
export class RunContextIds {
  private readonly byRequest = new WeakMap<object, ContextId>();

  constructor(private readonly moduleRef: ModuleRef) {}

  /**
   * @throws what the application's `ContextIdStrategy` throws
   */
  of(scope: RunScope): ContextId {
    scope.contextId ??= this.create(scope.run);
    return scope.contextId;
  }

  private create(run: AgentRun): ContextId {
    const { request } = run;
    if (request === null || typeof request !== 'object') {
      const id = ContextIdFactory.getByRequest(run as unknown as Record<string, unknown>);
      // What there is of a request; without one, `REQUEST` is the run.
      this.moduleRef.registerRequestByContextId(request ?? run, id);
      return id;
    }
    const id = ContextIdFactory.getByRequest(request as Record<string, unknown>);
    // Nest answers the same id twice only if it has given the request one, and registered it.
    if (ContextIdFactory.getByRequest(request as Record<string, unknown>) === id) return id;
    const known = this.byRequest.get(request);
    if (known) return known;
    // As Nest does for a request-scoped controller.
    if (id.payload !== undefined) Object.assign(request, id.payload);
    this.moduleRef.registerRequestByContextId(request, id);
    this.byRequest.set(request, id);
    return id;
  }
}
