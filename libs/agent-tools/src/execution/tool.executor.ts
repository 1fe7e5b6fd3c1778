import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { AGENT_TOOLS_MODULE_OPTIONS, DEFAULT_TOOL_TIMEOUT } from '../agent-tools.constants.js';
import { parseArguments } from '../arguments/parse-arguments.js';
import { ToolArgumentsException } from '../arguments/tool-arguments.exception.js';
import type { AgentRunContext } from '../tools/interfaces/agent-run-context.interface.js';
import { checkTimeout } from '../tools/check-timeout.js';
import { ToolCall } from '../tools/tool-call.js';
import { ToolRegistry } from '../tools/tool.registry.js';
import { isDebugEnabled } from '../utils/is-debug-enabled.js';
import { listNames } from '../utils/list-names.js';
import type { BoundTool } from './bound-tool.js';
import { ErrorMapper } from './error.mapper.js';
import type { CallScope } from './interfaces/call-scope.interface.js';
import type { CallTrace } from './interfaces/call-trace.interface.js';
import type { ToolCallRequest } from './interfaces/tool-call-request.interface.js';
import type { ToolDefaults } from './interfaces/tool-defaults.interface.js';
import type { ToolCallResult } from './interfaces/tool-call-result.interface.js';
import { convertResult, toText } from './result.converter.js';
import { RunningCall, type GiveUp } from './running-call.js';
import { ToolOutputException } from './tool-output.exception.js';
import { ToolResult } from './tool-result.js';

/**
 * Options of `ToolExecutor#execute()`.
 *
 * @publicApi
 */
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
  private readonly logger = new Logger('AgentTools');
  private readonly idPrefix = randomUUID().slice(0, 8);
  private count = 0;

  constructor(
    private readonly registry: ToolRegistry<BoundTool>,
    private readonly errors: ErrorMapper,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS)
    private readonly options: { readonly toolDefaults?: ToolDefaults },
  ) {
    checkTimeout(options.toolDefaults?.timeout, '`toolDefaults` of AgentToolsModule');
  }

  /**
   * Calls one tool as a model would, without an agent. It never rejects: a denial, unusable
   * arguments or an exception are results with that status.
   *
   * @param args JSON text of an object, or the object itself
   */
  async execute(
    name: string,
    args: unknown,
    { request, context = NO_CONTEXT, signal }: ToolExecuteOptions = {},
  ): Promise<ToolCallResult> {
    const tools = this.registry.byName();
    // A random id for each call would be a noticeable part of its cost.
    const id = `${this.idPrefix}-${++this.count}`;
    // Who reads what a model was told knows the tool by its other name.
    const tool = tools.get(name) ?? this.registry.peekChatName(name);
    const parsed = tool ? tool.arguments.read(args) : parseArguments(args);
    const call: ToolCallRequest = { id, name: tool?.definition.name ?? name, arguments: parsed };
    const run = { id, request, context };
    if (!signal) return this.call(call, 0, { run, tools, aborted: false });

    const running = new Set<RunningCall>();
    const abort = () => {
      for (const one of running) one.abortByRun(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.call(call, 0, { run, tools, running, aborted: signal.aborted });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /**
   * Runs one call of a run in an async context of its own, so that a store which a guard enters is
   * not seen by the calls beside it. Never rejects.
   *
   * @internal
   */
  call(request: ToolCallRequest, step: number, scope: CallScope): Promise<ToolCallResult> {
    const { id, name, arguments: parsed } = request;
    const started = performance.now();
    const tool = scope.tools.get(name);
    if (!tool) return Promise.resolve(toResult(request, started, unknownTool(name, scope)));
    if (scope.aborted) return Promise.resolve(toResult(request, started, INTERRUPTED));
    if ('problem' in parsed) {
      const error = new ToolArgumentsException(name, [parsed.problem]);
      const ending: Ending = { status: 'error', content: error.message, error };
      return Promise.resolve(toResult(request, started, ending));
    }
    if (parsed.repairs.length > 0) this.logRepairs(name, parsed.repairs);
    const timeout = this.timeoutOf(tool);
    return new Promise((resolve) => {
      const end = (ending: Ending) => {
        running.end();
        scope.running?.delete(running);
        resolve(toResult(request, started, ending));
      };
      const giveUp: GiveUp = (reason) => {
        end(reason === 'timeout' ? timedOut(name, timeout) : INTERRUPTED);
      };
      const running = new RunningCall(started, timeout, giveUp, scope.onProgress);
      const call = new ToolCall(id, name, parsed.input, step, scope.run, running);
      scope.running?.add(running);
      running.start();
      running.runInAsyncScope(() => this.start(tool, call, running, scope, end));
    });
  }

  private logRepairs(name: string, repairs: readonly string[]): void {
    if (!isDebugEnabled()) return;
    this.logger.debug(`Repaired the arguments of "${name}": ${repairs.join('; ')}`);
  }

  private timeoutOf({ definition }: BoundTool): number {
    return definition.timeout ?? this.options.toolDefaults?.timeout ?? DEFAULT_TOOL_TIMEOUT;
  }

  private start(
    tool: BoundTool,
    call: ToolCall,
    running: RunningCall,
    scope: CallScope,
    end: End,
  ): void {
    const trace: CallTrace = {};
    const fail = (error: unknown) => end(this.fail(error, tool, running, trace));
    const pipeline = tool.pipeline();
    const attempt = { call, lifetime: running, trace, scope, approve: undefined };
    const outcome =
      pipeline instanceof Promise
        ? pipeline.then((built) => built.invoke(attempt))
        : pipeline.invoke(attempt);
    const settle = (value: unknown) => {
      try {
        end(succeed(value));
      } catch (error) {
        fail(error);
      }
    };
    const { output } = tool;
    if (!output) outcome.then(settle, fail);
    else {
      // What a filter answers is about an error, which no output schema describes.
      const check = (value: unknown) => (trace.isFiltered ? value : output.check(value));
      outcome.then(check).then(settle, fail);
    }
  }

  private fail(error: unknown, tool: BoundTool, running: RunningCall, trace: CallTrace): Ending {
    if (running.aborted) return { ...INTERRUPTED, error };
    if (error instanceof ToolOutputException) {
      return { status: 'error', content: error.message, error };
    }
    const { name, errors } = tool.definition;
    const disclosure = errors ?? this.options.toolDefaults?.errors ?? 'id';
    try {
      return { ...this.errors.map(error, name, disclosure, trace), error };
    } catch {
      // An exception may be of a class of the application whose own methods throw.
      return { status: 'error', content: `"${name}" failed unexpectedly.`, error };
    }
  }
}

type Ending = Pick<ToolCallResult, 'status' | 'content' | 'value' | 'error'>;
type End = (ending: Ending) => void;

const NO_CONTEXT: Partial<AgentRunContext> = {};

const INTERRUPTED: Ending = {
  status: 'interrupted',
  content: 'Interrupted: the run was aborted before the tool ended.',
};

function timedOut(name: string, timeout: number): Ending {
  return { status: 'error', content: `"${name}" timed out after ${timeout} ms.` };
}

function toResult(
  { id, name }: ToolCallRequest,
  started: number,
  { status, content, value, error }: Ending,
): ToolCallResult {
  const duration = performance.now() - started;
  // The texts of errors come from anywhere.
  const text = typeof content === 'string' && status !== 'success' ? toText(content) : content;
  return { callId: id, name, status, content: text, value, error, duration };
}

/** The conversion may fail: a value's own `toJSON` is code of the tool. */
function succeed(value: unknown): Ending {
  return {
    status: 'success',
    content: convertResult(value),
    value: value instanceof ToolResult ? value.value : value,
  };
}

function unknownTool(name: string, scope: CallScope): Ending {
  const names = [...scope.tools.values()].map(({ definition }) => definition.chatName);
  const listed = listNames(new Set(names));
  return {
    status: 'error',
    content: `There is no tool "${name}". ${listed ? `The tools are: ${listed}.` : 'There are no tools.'}`,
  };
}
