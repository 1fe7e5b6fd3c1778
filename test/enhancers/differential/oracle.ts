import { expect } from '@jest/globals';
import * as common from '@nestjs/common';
import {
  applyDecorators,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ExternalContextCreator,
} from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { Tool, ToolCall, ToolExecutor, ToolParam } from 'nestjs-agent-tools';
import { createApp } from '../../support/app.js';
import { describeError } from './enhancers.js';
import { Journal } from './journal.js';

type Enhancer<T extends object> = Type<T> | T;

interface Levels<T extends object> {
  readonly global?: readonly Type<T>[];
  readonly class?: readonly Enhancer<T>[];
  readonly method?: readonly Enhancer<T>[];
}

/** A tool and the enhancers around it. */
export interface Stack {
  readonly guards?: Levels<CanActivate>;
  readonly interceptors?: Levels<NestInterceptor>;
  readonly pipes?: Levels<PipeTransform> & {
    readonly parameter?: readonly Enhancer<PipeTransform>[];
  };
  readonly filters?: Levels<ExceptionFilter>;
  /** What the tool does with its parameter. */
  readonly method?: (text: string, journal: Journal) => unknown;
}

/** What was recorded of one call, and how it ended. */
export interface Run {
  readonly trace: readonly string[];
  readonly outcome: Outcome;
}

export type Outcome = { readonly value: unknown } | { readonly error: string };

export interface Comparison {
  readonly ours: Run;
  readonly nest: Run;
}

export interface Target {
  readonly app: TestingModule;
  /** Of the host. */
  readonly token: Type | string;
  readonly journal: Journal;
  readonly methodName?: string;
  readonly input?: Record<string, unknown>;
  readonly request?: unknown;
}

/** Some details of Nest 12 are not those of Nest 11, which has no such pipe. */
export const isNest11 = !('StandardSchemaValidationPipe' in common);

type Lifetime = ConstructorParameters<typeof ToolCall>[5];

/** The request that both ways are given. */
export const REQUEST = { user: 'Ada' };

export const passing = (text: string): unknown => `ran ${text}`;

/** Calls the tool of a stack both ways. */
export function compareStack(stack: Stack, input?: Record<string, unknown>): Promise<Comparison> {
  return withStack(stack, (target) => compare({ ...target, ...(input && { input }) }));
}

/** Makes an application of a stack and closes it again. */
export async function withStack<T>(stack: Stack, use: (target: Target) => Promise<T>): Promise<T> {
  const journal = new Journal();
  const Host = hostOf(stack);
  const app = await createApp({
    providers: [{ provide: Journal, useValue: journal }, Host, ...globalsOf(stack)],
  });
  try {
    return await use({ app, token: Host, journal });
  } finally {
    await app.close();
  }
}

/** Calls a method through this package and through Nest's own `ExternalContextCreator`. */
export async function compare(target: Target): Promise<Comparison> {
  return { ours: await runOurs(target), nest: await runNest(target) };
}

export async function runOurs({ app, journal, ...target }: Target): Promise<Run> {
  const { methodName = 'run', input = { text: 'hi' }, request = REQUEST } = target;
  const result = await app.get(ToolExecutor).execute(methodName, input, { request });
  const outcome =
    result.status === 'success' ? { value: result.value } : { error: describeError(result.error) };
  return { trace: journal.take(), outcome };
}

export async function runNest({ app, token, journal, ...target }: Target): Promise<Run> {
  const { methodName = 'run', input = { text: 'hi' }, request = REQUEST } = target;
  const instance = app.get<Record<string, () => unknown>>(token);
  const prototype = Object.getPrototypeOf(instance) as typeof instance;
  // The tools here use no more of it.
  const lifetime = { signal: new AbortController().signal } as Lifetime;
  const run = { id: 'oracle', request, context: {} };
  const call = new ToolCall('oracle', methodName, input, 0, run, lifetime);
  const throughNest = app
    .get(ExternalContextCreator)
    .create(
      instance,
      prototype[methodName],
      methodName,
      '__routeArguments__',
      { exchangeKeyForValue: () => undefined },
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: true },
      'agent-tool',
    );
  const outcome = await throughNest(request, undefined, undefined, call).then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error: describeError(error) }),
  );
  return { trace: journal.take(), outcome };
}

/** What both ways do. It fails if it is not the same. */
export async function sameRun(stack: Stack): Promise<Run> {
  const { ours, nest } = await compareStack(stack);
  expect(ours).toEqual(nest);
  return ours;
}

/** What the two ways do where they differ. It fails as soon as they no longer do. */
export async function differentRuns(stack: Stack): Promise<Comparison> {
  const comparison = await compareStack(stack);
  expect(comparison.ours).not.toEqual(comparison.nest);
  return comparison;
}

function hostOf({ guards, interceptors, pipes, filters, method = passing }: Stack): Type {
  const on = (level: 'class' | 'method') =>
    applyDecorators(
      UseGuards(...(guards?.[level] ?? [])),
      UseInterceptors(...(interceptors?.[level] ?? [])),
      UsePipes(...(pipes?.[level] ?? [])),
      UseFilters(...(filters?.[level] ?? [])),
    );

  @Injectable()
  @on('class')
  class Host {
    constructor(readonly journal: Journal) {}

    @Tool('Anything.')
    @on('method')
    run(@ToolParam('text', ...(pipes?.parameter ?? [])) text: string) {
      this.journal.record(`method ${text}`);
      return method(text, this.journal);
    }
  }
  return Host;
}

function globalsOf({ guards, interceptors, pipes, filters }: Stack): Provider[] {
  const provide = (token: string, classes: readonly Type[] = []) =>
    classes.map((useClass) => ({ provide: token, useClass }));
  return [
    ...provide(APP_GUARD, guards?.global),
    ...provide(APP_INTERCEPTOR, interceptors?.global),
    ...provide(APP_PIPE, pipes?.global),
    ...provide(APP_FILTER, filters?.global),
  ];
}
