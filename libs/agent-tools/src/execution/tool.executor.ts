import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  ABORT_GRACE,
  AGENT_TOOLS_MODULE_OPTIONS,
  DEFAULT_TOOL_TIMEOUT,
  MAX_TOOL_TIMEOUT,
} from '../agent-tools.constants.js';
import { parseArguments } from '../arguments/parse-arguments.js';
import { ToolArgumentsException } from '../arguments/tool-arguments.exception.js';
import type { AgentRunContext } from '../tools/interfaces/agent-run-context.interface.js';
import { ToolCall } from '../tools/tool-call.js';
import { ToolRegistry } from '../tools/tool.registry.js';
import type { BoundTool } from './bound-tool.js';
import { ErrorMapper } from './error.mapper.js';
import type { CallScope } from './interfaces/call-scope.interface.js';
import type { CallTrace } from './interfaces/call-trace.interface.js';
import type { ToolCallRequest } from './interfaces/tool-call-request.interface.js';
import type { ToolDefaults } from './interfaces/tool-defaults.interface.js';
import type { ToolCallResult } from './interfaces/tool-call-result.interface.js';
import { convertResult } from './result.converter.js';
import { RunningCall } from './running-call.js';
import { ToolResult } from './tool-result.js';

/** @publicApi */
export interface ToolExecuteOptions {
  /** The request, where guards and parameter decorators look for it. @default undefined */
  readonly request?: unknown;
  /** The application's values, for `@RunContext()`. @default {} */
  readonly context?: Partial<AgentRunContext>;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/**
 * Executes tools through Nest's pipeline, for agents and for code.
 *
 * @publicApi
 */
@Injectable()
export class ToolExecutor {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly errors: ErrorMapper,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS)
    private readonly options: { readonly toolDefaults?: ToolDefaults },
  ) {}

  /**
   * Calls one tool as a model would, without an agent. It never rejects: a denial, unusable
   * arguments or an exception are results with that status.
   *
   * @param args JSON text of an object, or the object itself
   */
  async execute(
    name: string,
    args: unknown,
    { request, context = {}, signal }: ToolExecuteOptions = {},
  ): Promise<ToolCallResult> {
    const tools = this.registry.byName() as ReadonlyMap<string, BoundTool>;
    const running = new Set<RunningCall>();
    const id = randomUUID();
    const scope: CallScope = {
      run: { id, request, context },
      tools,
      running,
      aborted: signal?.aborted ?? false,
    };
    const abort = () => {
      for (const call of running) call.abortByRun(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await this.call({ id, name, arguments: parseArguments(args) }, 0, scope);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * Runs one call of a run in an async context of its own, so that a store which a guard enters is
   * not seen by the calls beside it. Never rejects.
   *
   * @internal
   */
  call(request: ToolCallRequest, step: number, scope: CallScope): Promise<ToolCallResult> {
    const started = performance.now();
    const finish: Finish = (ending) => ({
      callId: request.id,
      name: request.name,
      duration: performance.now() - started,
      ...ending,
    });
    const tool = scope.tools.get(request.name);
    if (!tool) return Promise.resolve(finish(unknownTool(request.name, scope)));
    if (scope.aborted) return Promise.resolve(finish(INTERRUPTED));
    const { arguments: parsed } = request;
    if ('problem' in parsed) {
      const error = new ToolArgumentsException(request.name, [parsed.problem]);
      return Promise.resolve(finish({ status: 'error', content: error.message, error }));
    }
    const running = new RunningCall(scope.onProgress);
    const call = new ToolCall(request.id, request.name, parsed.input, step, scope.run, running);
    return new AsyncResource('ToolCall').runInAsyncScope(() =>
      this.settle(tool, call, running, scope, finish),
    );
  }

  private settle(
    tool: BoundTool,
    call: ToolCall,
    running: RunningCall,
    scope: CallScope,
    finish: Finish,
  ): Promise<ToolCallResult> {
    const timeout = Math.min(
      tool.definition.timeout ?? this.options.toolDefaults?.timeout ?? DEFAULT_TOOL_TIMEOUT,
      MAX_TOOL_TIMEOUT,
    );
    return new Promise((resolve) => {
      let grace: NodeJS.Timeout | undefined;
      const settle = (ending: Ending) => {
        clearTimeout(timer);
        clearTimeout(grace);
        running.end();
        scope.running.delete(running);
        resolve(finish(ending));
      };
      const timer = setTimeout(() => {
        running.abort(new DOMException(`Timed out after ${timeout} ms.`, 'TimeoutError'));
        settle({ status: 'error', content: `"${call.name}" timed out after ${timeout} ms.` });
      }, timeout);
      running.onRunAborted = () => {
        grace ??= setTimeout(() => settle(INTERRUPTED), ABORT_GRACE);
      };
      scope.running.add(running);
      const trace: CallTrace = {};
      this.invoke(tool, call, running, trace).then(settle, (error: unknown) =>
        settle(this.fail(error, tool, running, trace)),
      );
    });
  }

  private async invoke(
    tool: BoundTool,
    call: ToolCall,
    running: RunningCall,
    trace: CallTrace,
  ): Promise<Ending> {
    const pipeline = tool.pipeline();
    const value = await (pipeline instanceof Promise ? await pipeline : pipeline).invoke(
      call,
      running,
      trace,
    );
    return {
      status: 'success',
      content: convertResult(value),
      value: value instanceof ToolResult ? value.value : value,
    };
  }

  private fail(error: unknown, tool: BoundTool, running: RunningCall, trace: CallTrace): Ending {
    if (running.aborted) return { ...INTERRUPTED, error };
    const { name, errors } = tool.definition;
    const disclosure = errors ?? this.options.toolDefaults?.errors ?? 'id';
    return { ...this.errors.map(error, name, disclosure, trace), error };
  }
}

type Ending = Pick<ToolCallResult, 'status' | 'content' | 'value' | 'error'>;
type Finish = (ending: Ending) => ToolCallResult;

const INTERRUPTED: Ending = {
  status: 'interrupted',
  content: 'Interrupted: the run was aborted before the tool ended.',
};

/** Enough for a model to find the right name, and not the whole list of a large application. */
const LISTED_NAMES = 50;

function unknownTool(name: string, scope: CallScope): Ending {
  const names = [...scope.tools.keys()].toSorted();
  const listed = names.slice(0, LISTED_NAMES).join(', ');
  const more = names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : '';
  return {
    status: 'error',
    content: `There is no tool "${name}". ${listed ? `The tools are: ${listed}${more}.` : 'There are no tools.'}`,
  };
}
