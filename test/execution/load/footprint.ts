/** What calls could leave behind in an application and in its process. */
import { ModulesContainer } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { heapUsed } from './garbage.js';
import { listenersLeft } from './scenarios.js';

type Module = ModulesContainer extends Map<string, infer M> ? M : never;
type Wrapper = Module['providers'] extends Map<unknown, infer W> ? W : never;

export interface Footprint {
  /** Bytes, after a collection of garbage. */
  readonly heap: number;
  readonly modules: number;
  readonly wrappers: number;
  /** Instances for which something transient is kept. */
  readonly inquirers: number;
  /** On the signal that calls share. */
  readonly listeners: number;
  /** What keeps the process alive: how many of each kind. */
  readonly handles: Record<string, number>;
}

export async function footprintOf(app: TestingModule): Promise<Footprint> {
  const modules = app.get(ModulesContainer);
  const wrappers = [...modules.values()].flatMap(wrappersOf);
  return {
    heap: await heapUsed(),
    modules: modules.size,
    wrappers: wrappers.length,
    inquirers: wrappers.reduce((sum, wrapper) => sum + inquirersOf(wrapper), 0),
    listeners: listenersLeft(),
    handles: countOf(process.getActiveResourcesInfo()),
  };
}

function wrappersOf({ providers, injectables, controllers, middlewares }: Module): Wrapper[] {
  return [providers, injectables, controllers, middlewares].flatMap((all) => [
    ...(all as Map<unknown, Wrapper>).values(),
  ]);
}

function inquirersOf(wrapper: Wrapper): number {
  const { transientMap } = wrapper as unknown as { transientMap?: Map<string, unknown> };
  if (!wrapper.isTransient) return 0;
  // Without this, a Nest that renames it would turn the count into one that never grows.
  if (!(transientMap instanceof Map)) throw new Error(`"${String(wrapper.name)}" has no map.`);
  return transientMap.size;
}

function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
