import { Injectable } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import type { Enhancers } from './interfaces/enhancers.interface.js';

/** The application's global enhancers. `useGlobal…` may still add some after the boot. */
@Injectable()
export class GlobalEnhancers {
  private snapshot: Enhancers = { guards: [], interceptors: [], pipes: [], filters: [] };

  constructor(private readonly config: ApplicationConfig) {}

  /** The same object for as long as nothing was added. */
  current(): Enhancers {
    const guards = this.config.getGlobalGuards();
    const interceptors = this.config.getGlobalInterceptors();
    const pipes = this.config.getGlobalPipes();
    const filters = this.config.getGlobalFilters();
    const known = this.snapshot;
    if (
      known.guards.length !== guards.length ||
      known.interceptors.length !== interceptors.length ||
      known.pipes.length !== pipes.length ||
      known.filters.length !== filters.length
    ) {
      this.snapshot = {
        guards: [...guards],
        interceptors: [...interceptors],
        pipes: [...pipes],
        filters: [...filters],
      };
    }
    return this.snapshot;
  }

  /** Names of request-scoped and transient global enhancers, which need an instance for each run. */
  scopedNames(): string[] {
    return [
      ...this.config.getGlobalRequestGuards(),
      ...this.config.getGlobalRequestInterceptors(),
      ...this.config.getGlobalRequestPipes(),
      ...this.config.getGlobalRequestFilters(),
    ].map((wrapper) => String(wrapper.metatype?.name ?? wrapper.name));
  }
}
