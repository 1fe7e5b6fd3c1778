import type { ArgumentsHost, ExecutionContext, Type } from '@nestjs/common';
import { AGENT_TOOL_CONTEXT_TYPE } from '../agent-tools.constants.js';
import { TOOL_CALL_ARGUMENT } from '../tools/decorators/current-call.js';
import type { AgentRun } from '../tools/interfaces/agent-run.interface.js';
import type { ToolCall } from '../tools/tool-call.js';

type ToolArguments = readonly [
  request: unknown,
  response: undefined,
  next: undefined,
  call: ToolCall,
];

/**
 * The execution context of a tool call, as `GqlExecutionContext` is for GraphQL.
 *
 * What the model sent never sits where a guard looks for a request: `switchToHttp().getRequest()` is
 * the real request that the run was started with, or undefined.
 *
 * ```ts
 * const tool = ToolExecutionContext.create(context);
 * tool.getCall().name;
 * ```
 *
 * @publicApi
 */
export class ToolExecutionContext implements ExecutionContext {
  /** What was asked for and is not there: tells enhancers that are written for HTTP from others. @internal */
  lacksRequest = false;
  /** The same for the response. @internal */
  lacksResponse = false;

  /** @internal */
  constructor(
    private readonly args: ToolArguments,
    private readonly hostClass: Type,
    private readonly handler: ReturnType<ExecutionContext['getHandler']>,
  ) {}

  /**
   * The typed view on the context of a guard, an interceptor, a filter or a parameter decorator.
   *
   * @throws Error in any other context than a tool call; ask `isToolContext()` first
   */
  static create(context: ExecutionContext): ToolExecutionContext {
    if (context instanceof ToolExecutionContext) return context;
    if (!isToolContext(context)) {
      throw new Error(
        `This is a context of type "${context.getType()}", not of a tool call. Ask isToolContext() first.`,
      );
    }
    return new ToolExecutionContext(
      context.getArgs<[unknown, undefined, undefined, ToolCall]>(),
      context.getClass(),
      context.getHandler(),
    );
  }

  getCall(): ToolCall {
    return this.args[TOOL_CALL_ARGUMENT];
  }

  /** The arguments from the model: unchecked in guards and interceptors, validated later. */
  getInput(): unknown {
    return this.getCall().input;
  }

  getRun(): AgentRun {
    return this.getCall().run;
  }

  getClass<T = unknown>(): Type<T> {
    return this.hostClass as Type<T>;
  }

  getHandler(): ReturnType<ExecutionContext['getHandler']> {
    return this.handler;
  }

  getType<T extends string = string>(): T {
    return AGENT_TOOL_CONTEXT_TYPE as T;
  }

  getArgs<T extends unknown[] = unknown[]>(): T {
    return this.args as unknown as T;
  }

  getArgByIndex<T = unknown>(index: number): T {
    if (index === 0) return this.request() as T;
    return (index === 1 ? this.response() : this.args[index]) as T;
  }

  switchToHttp(): ReturnType<ArgumentsHost['switchToHttp']> {
    return {
      getRequest: <T>() => this.request() as T,
      getResponse: <T>() => this.response() as T,
      getNext: <T>() => undefined as T,
    };
  }

  switchToRpc(): ReturnType<ArgumentsHost['switchToRpc']> {
    return { getData: <T>() => this.args[0] as T, getContext: <T>() => undefined as T };
  }

  switchToWs(): ReturnType<ArgumentsHost['switchToWs']> {
    return {
      getClient: <T>() => this.args[0] as T,
      getData: <T>() => undefined as T,
      // Nest would take the last argument, which is the call.
      getPattern: () => undefined as unknown as string,
    };
  }

  private request(): unknown {
    if (this.args[0] === undefined) this.lacksRequest = true;
    return this.args[0];
  }

  private response(): undefined {
    this.lacksResponse = true;
  }
}

/**
 * Whether a guard, an interceptor, a pipe or a filter runs for a tool call.
 *
 * @publicApi
 */
export function isToolContext(context: ArgumentsHost): boolean {
  return context.getType<string>() === AGENT_TOOL_CONTEXT_TYPE;
}
