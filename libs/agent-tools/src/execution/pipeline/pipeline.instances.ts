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

/** The enhancers that all calls share, or undefined if some belong to a context. */
export function sharedEnhancers(
  { ownPipes }: PipelinePlan,
  { guards, interceptors, pipes, filters }: EnhancerSources,
): PipelineInstances | undefined {
  if (!areStatic(guards) || !areStatic(interceptors) || !areStatic(pipes)) return undefined;
  if (!areStatic(filters) || !ownPipes.every(areStatic)) return undefined;
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
 * @param shared the enhancers, if none of them belongs to the context
 * @throws what a constructor or a factory throws
 */
export async function instancesOf(
  { scopedHost, ownPipes }: PipelinePlan,
  sources: EnhancerSources,
  shared: PipelineInstances | undefined,
  contextId: ContextId,
): Promise<PipelineInstances> {
  // First, as Nest makes the enhancers of a class together with its instance.
  const made = scopedHost?.resolve(contextId);
  const host = made instanceof Promise ? await made : made;
  if (shared) return { ...shared, host };
  const pending: Promise<void>[] = [];
  const fill = <T extends object>(all: readonly InstanceSource<T>[]): T[] => {
    const instances: T[] = [];
    for (const [index, source] of all.entries()) {
      const instance = source.isStatic ? source.instance : source.resolve(contextId);
      if (instance instanceof Promise) pending.push(keep(instances, index, instance));
      else instances[index] = instance;
    }
    return instances;
  };
  const guards = fill(sources.guards);
  const interceptors = fill(sources.interceptors);
  const pipes = fill(sources.pipes);
  const filters = fill(sources.filters);
  const own = ownPipes.map(fill);
  if (pending.length > 0) await Promise.all(pending);
  return { host, guards, interceptors, pipes, filters: filters.reverse(), ownPipes: own };
}

/** Those filters that can answer for an instance that could not be made, the nearest first. */
export function staticFilters({ filters }: EnhancerSources): PipelineInstances['filters'] {
  return filters.filter(isStatic).map(instanceOf).reverse();
}

async function keep<T>(instances: T[], index: number, instance: Promise<T>): Promise<void> {
  instances[index] = await instance;
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
