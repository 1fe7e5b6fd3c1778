import {
  UseFilters,
  UseInterceptors,
  type ExceptionFilter,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { CurrentToolCall, Tool, ToolCall, ToolExecutor } from 'nestjs-agent-tools';
import type {
  AgentEvent,
  AgentService,
  AgentToolsModuleOptions,
  ToolCallResult,
  ToolOptions,
} from 'nestjs-agent-tools';
import { scripted, type ScriptedChatModel } from 'nestjs-agent-tools/testing';
import { tap, type OperatorFunction } from 'rxjs';
import { startAgent } from '../../loop/support/agent.js';
import { only, readAll } from '../../loop/support/events.js';

export type Body = (call: ToolCall) => unknown;

export interface WatchOptions {
  readonly timeout?: number;
  readonly interceptors?: readonly NestInterceptor[];
  readonly filters?: readonly ExceptionFilter[];
  readonly tool?: Pick<ToolOptions, 'idempotent' | 'inputSchema' | 'outputSchema' | 'retry'>;
  readonly module?: AgentToolsModuleOptions;
}

/** What an observer of a run is told about its one call. */
export interface Watched {
  readonly progress: readonly unknown[];
  readonly result: ToolCallResult;
  readonly events: readonly AgentEvent[];
  readonly model: ScriptedChatModel;
}

export interface Started {
  readonly agent: AgentService;
  readonly executor: ToolExecutor;
  readonly model: ScriptedChatModel;
}

/** An application whose one tool, `watch`, has this body, and a model that calls it once. */
export async function start(body: Body, options: WatchOptions = {}): Promise<Started> {
  const model = scripted([{ tool: 'watch' }, 'Done.']);
  const { agent, app } = await startAgent([hostOf(body, options)], { model, ...options.module });
  return { agent, executor: app.get(ToolExecutor), model };
}

/** The same, run and read to its end. */
export async function watch(body: Body, options?: WatchOptions): Promise<Watched> {
  const { agent, model } = await start(body, options);
  const { events, error } = await readAll(agent.stream('Go.'));
  if (error !== undefined) throw error as Error;
  const progress = only(events, 'tool-progress').map(({ value }) => value);
  return { progress, result: only(events, 'tool-result')[0], events, model };
}

export function intercepting(...operators: OperatorFunction<unknown, unknown>[]): NestInterceptor {
  return {
    intercept: (_context, next) =>
      operators.reduce((values, operator) => values.pipe(operator), next.handle()),
  };
}

/** Far below the second that running calls get after an abort. */
export const SOON = 500;

/** With interceptors around it, the source is read elsewhere. */
export const PLACES: [string, WatchOptions][] = [
  ['without interceptors', {}],
  ['behind interceptors', { interceptors: [intercepting(tap()), intercepting(tap())] }],
];

export async function timed<T>(action: () => Promise<T>): Promise<{ value: T; took: number }> {
  const started = performance.now();
  const value = await action();
  return { value, took: performance.now() - started };
}

export function hostOf(
  body: Body,
  { timeout = 5_000, interceptors = [], filters = [], tool }: WatchOptions = {},
): Type {
  class Host {
    @Tool({ description: 'Streams.', timeout, ...tool })
    @UseInterceptors(...interceptors)
    @UseFilters(...filters)
    watch(@CurrentToolCall() call: ToolCall) {
      return body(call);
    }
  }
  return Host;
}
