import type { Type } from '@nestjs/common';
import type { InputValidator } from '../arguments/input.validator.js';
import type { ToolCall } from '../tools/tool-call.js';
import { isThenable } from '../utils/is-thenable.js';
import { drain, isDrainable } from './drain.js';
import { runFilters } from './filter.runner.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import { runGuards } from './guard.runner.js';
import { intercept } from './interceptor.chain.js';
import type { CallTrace } from './interfaces/call-trace.interface.js';
import type { Enhancers } from './interfaces/enhancers.interface.js';
import type { ParameterBinder } from './parameter.binder.js';
import { ToolExecutionContext } from './tool-execution-context.js';

/** What is known about a tool before its first call. */
export interface PipelinePlan {
  readonly hostClass: Type;
  readonly handler: (...args: never[]) => unknown;
  readonly methodName: string | symbol;
  /** Read at each call: a JS proxy must not be touched before, and tests replace instances. */
  readonly instance: () => object;
  readonly validator: InputValidator;
  readonly parameters: ParameterBinder;
  /** Of the class and the method. */
  readonly enhancers: Enhancers;
}

/**
 * One call through Nest's pipeline: guards, interceptors, validation, pipes, method, interceptors,
 * filters. Everything that does not depend on the call is prepared once.
 */
export class ToolPipeline {
  private all: Enhancers;
  private globals: Enhancers;

  constructor(
    private readonly plan: PipelinePlan,
    private readonly globalEnhancers: GlobalEnhancers,
  ) {
    this.globals = globalEnhancers.current();
    this.all = combine(this.globals, plan.enhancers);
  }

  /** Resolves to what the tool returns, or to what an exception filter makes of its error. */
  async invoke(
    call: ToolCall,
    lifetime: { readonly aborted: boolean },
    trace: CallTrace,
  ): Promise<unknown> {
    const { guards, interceptors, filters } = this.enhancers();
    const context = new ToolExecutionContext(
      [call.run.request, undefined, undefined, call],
      this.plan.hostClass,
      this.plan.handler,
    );
    const input = call.input as Record<string, unknown>;
    try {
      if (guards.length > 0) {
        await runGuards(guards, context, (guard) => {
          trace.guard = guard;
        });
      }
      const handler = () => this.handle(call, input, context, lifetime);
      return await intercept(interceptors, context, handler);
    } catch (error) {
      return runFilters(filters, error, context);
    }
  }

  private async handle(
    call: ToolCall,
    input: Record<string, unknown>,
    context: ToolExecutionContext,
    lifetime: { readonly aborted: boolean },
  ): Promise<unknown> {
    const { plan } = this;
    const valid = plan.validator.validate(input);
    call.input = isThenable(valid) ? await valid : valid;
    const bound = plan.parameters.bind(call, context, this.all.pipes);
    const args = isThenable(bound) ? await bound : bound;
    // Guards, interceptors and pipes may have taken longer than the call had.
    if (lifetime.aborted) throw new DOMException('The call was given up.', 'AbortError');
    const instance = plan.instance() as Record<PropertyKey, (...args: unknown[]) => unknown>;
    // Called late and by name: wrapping decorators, spies and proxies take part.
    const returned = instance[plan.methodName](...args);
    const result = isThenable(returned) ? await returned : returned;
    return isDrainable(result) ? drain(result, lifetime) : result;
  }

  private enhancers(): Enhancers {
    const globals = this.globalEnhancers.current();
    if (globals !== this.globals) {
      this.globals = globals;
      this.all = combine(globals, this.plan.enhancers);
    }
    return this.all;
  }
}

/** Nest's order: global, class, method; filters the other way round, the nearest first. */
function combine(globals: Enhancers, own: Enhancers): Enhancers {
  return {
    guards: [...globals.guards, ...own.guards],
    interceptors: [...globals.interceptors, ...own.interceptors],
    pipes: [...globals.pipes, ...own.pipes],
    filters: [...globals.filters, ...own.filters].reverse(),
  };
}
