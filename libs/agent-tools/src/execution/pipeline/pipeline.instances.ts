import type { ContextId } from '@nestjs/core';
import type { EnhancerSources } from '../interfaces/enhancers.interface.js';
import type { InstanceSource, StaticSource } from '../interfaces/instance-source.interface.js';
import type { PipelineInstances, PipelinePlan } from '../interfaces/pipeline-plan.interface.js';

/** Nest's order: global, class, method. */
export function combineSources(globals: EnhancerSources, own: EnhancerSources): EnhancerSources {
  return {
    guards: [...globals.guards, ...own.guards],
    interceptors: [...globals.interceptors, ...own.interceptors],
    pipes: [...globals.pipes, ...own.pipes],
    filters: [...globals.filters, ...own.filters],
  };
}

/** The instances that all calls share, or undefined if some belong to a context. */
export function sharedInstances(
  { scopedHost, ownPipes }: PipelinePlan,
  { guards, interceptors, pipes, filters }: EnhancerSources,
): PipelineInstances | undefined {
  if (scopedHost || !ownPipes.every(areStatic)) return undefined;
  if (!areStatic(guards) || !areStatic(interceptors)) return undefined;
  if (!areStatic(pipes) || !areStatic(filters)) return undefined;
  return {
    host: undefined,
    guards: guards.map(instanceOf),
    interceptors: interceptors.map(instanceOf),
    pipes: pipes.map(instanceOf),
    filters: filters.map(instanceOf).reverse(),
    ownPipes: ownPipes.map((sources) => sources.filter(isStatic).map(instanceOf)),
  };
}

/**
 * The instances of one context. The sources give the same ones when they are asked again.
 *
 * @throws what a constructor or a factory throws
 */
export async function instancesOf(
  { scopedHost, ownPipes }: PipelinePlan,
  sources: EnhancerSources,
  contextId: ContextId,
): Promise<PipelineInstances> {
  const resolve = async <T extends object>(source: InstanceSource<T>): Promise<T> =>
    source.isStatic ? source.instance : source.resolve(contextId);
  const resolveAll = <T extends object>(all: readonly InstanceSource<T>[]): Promise<T[]> =>
    Promise.all(all.map(resolve));
  const [host, guards, interceptors, pipes, filters, ...own] = await Promise.all([
    scopedHost?.resolve(contextId),
    resolveAll(sources.guards),
    resolveAll(sources.interceptors),
    resolveAll(sources.pipes),
    resolveAll(sources.filters),
    ...ownPipes.map(resolveAll),
  ]);
  return { host, guards, interceptors, pipes, filters: filters.reverse(), ownPipes: own };
}

/** Those filters that can answer for an instance that could not be made, the nearest first. */
export function staticFilters({ filters }: EnhancerSources): PipelineInstances['filters'] {
  return filters.filter(isStatic).map(instanceOf).reverse();
}

function areStatic<T extends object>(
  sources: readonly InstanceSource<T>[],
): sources is readonly StaticSource<T>[] {
  return sources.every(isStatic);
}

function isStatic<T extends object>(source: InstanceSource<T>): source is StaticSource<T> {
  return source.isStatic;
}

function instanceOf<T extends object>({ instance }: StaticSource<T>): T {
  return instance;
}
