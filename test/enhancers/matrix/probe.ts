import type { Type } from '@nestjs/common';

/** What enhancers and hosts depend on. Its origin tells which module it came from. */
export interface Dependency {
  readonly origin: string;
}

/** One run of an enhancer, as the enhancer saw it. */
export interface Sighting {
  readonly instance: object;
  readonly origin: string | undefined;
  /** The origin of the request-scoped dependency, for enhancers that have one. */
  readonly scopedOrigin: string | undefined;
  readonly view: ContextView | ArgumentView;
}

/** What a guard, an interceptor or a filter reads from its context. */
export interface ContextView {
  readonly type: string;
  readonly target: Type;
  readonly ofMethod: unknown;
  readonly ofClass: unknown;
}

/** What a pipe is told, which has no context. */
export interface ArgumentView {
  readonly type: string;
  readonly metatype: string | undefined;
  readonly data: string | undefined;
}

/** Everything that the enhancers and the hosts of one case did. */
export class Probe {
  trail: string[] = [];
  sightings: Sighting[] = [];
  hosts: object[] = [];
  /** By instance; a placeholder whose constructor Nest did not call is not in here. */
  readonly constructions = new Map<object, string | undefined>();

  /** Forgets what ran, but not what was constructed. */
  reset(): void {
    this.trail = [];
    this.sightings = [];
    this.hosts = [];
  }
}
