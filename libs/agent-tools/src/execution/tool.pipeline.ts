import type { Type } from '@nestjs/common';
import type { InputValidator } from '../arguments/input.validator.js';
import type { ToolCall } from '../tools/tool-call.js';
import { isThenable } from '../utils/is-thenable.js';
import { drain } from './drain.js';
import { runFilters } from './filter.runner.js';
import type { GlobalEnhancers } from './global-enhancers.js';
import { runGuards } from './guard.runner.js';
import { intercept } from './interceptor.chain.js';
import type { CallLifetime } from './interfaces/call-lifetime.interface.js';
import type { CallTrace } from './interfaces/call-trace.interface.js';
import type { Enhancers } from './interfaces/enhancers.interface.js';
import type { ParameterBinder } from './parameter.binder.js';
import { ToolExecutionContext } from './tool-execution-context.js';

/** The input of a call before and after its validation. */
interface Attempt {
  input: unknown;
  validated?: unknown;
}

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
  async invoke(call: ToolCall, lifetime: CallLifetime, trace: CallTrace): Promise<unknown> {
    const { guards, interceptors, filters } = this.enhancers();
    const context = new ToolExecutionContext(
      [call.run.request, undefined, undefined, call],
      this.plan.hostClass,
      this.plan.handler,
    );
    try {
      const asked = guards.length > 0 ? runGuards(guards, context, trace) : undefined;
      if (asked) await asked;
      const attempt: Attempt = { input: call.input };
      return await intercept(
        interceptors,
        context,
        () => this.handle(call, attempt, context, lifetime),
        lifetime,
      );
    } catch (error) {
      const answer = await runFilters(filters, error, context);
      trace.isFiltered = true;
      return answer;
    }
  }

  /**
   * The innermost part. It returns promises only where something is asynchronous: most validations
   * and pipes are not, and a promise for each would be most of the cost of a call.
   */
  private handle(
    call: ToolCall,
    attempt: Attempt,
    context: ToolExecutionContext,
    lifetime: CallLifetime,
  ): unknown {
    // A guard or an interceptor may have put another input in place. An interceptor may also repeat the
    // call, whose input is the validated one by then.
    if (call.input !== attempt.validated) attempt.input = call.input;
    const valid = this.plan.validator.validate(attempt.input as Record<string, unknown>);
    return isThenable(valid)
      ? valid.then((value) => this.bind(call, attempt, value, context, lifetime))
      : this.bind(call, attempt, valid, context, lifetime);
  }

  private bind(
    call: ToolCall,
    attempt: Attempt,
    valid: unknown,
    context: ToolExecutionContext,
    lifetime: CallLifetime,
  ): unknown {
    attempt.validated = valid;
    call.input = valid;
    const args = this.plan.parameters.bind(call, context, this.all.pipes);
    return isThenable(args)
      ? args.then((values) => this.callMethod(values, lifetime))
      : this.callMethod(args, lifetime);
  }

  private callMethod(args: readonly unknown[], lifetime: CallLifetime): unknown {
    // Guards, interceptors and pipes may have taken longer than the call had.
    if (lifetime.aborted) throw new DOMException('The call was given up.', 'AbortError');
    const instance = this.plan.instance() as Record<PropertyKey, (...args: unknown[]) => unknown>;
    // Called late and by name: wrapping decorators, spies and proxies take part.
    const returned = instance[this.plan.methodName](...args);
    return isThenable(returned)
      ? returned.then((value) => drain(value, lifetime))
      : drain(returned, lifetime);
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
