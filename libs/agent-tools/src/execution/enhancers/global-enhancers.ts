import { Inject, Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, ModuleRef } from '@nestjs/core';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../../agent-tools.constants.js';
import type { ProviderWrapper } from '../../tools/interfaces/discovered-tool.interface.js';
import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';
import { enhancerOf } from './enhancer-kind.js';
import { scopeOfWrapper } from './enhancer.resolver.js';
import type { EnhancerSources } from '../interfaces/enhancers.interface.js';
import type { GlobalEnhancersChoice } from '../interfaces/global-enhancers-choice.interface.js';
import type { InstanceSource } from '../interfaces/instance-source.interface.js';

/** The application's global enhancers. `useGlobal…` may still add some after the boot. */
@Injectable()
export class GlobalEnhancers {
  private snapshot: EnhancerSources = { guards: [], interceptors: [], pipes: [], filters: [] };
  /** Of guards, interceptors, pipes and filters; -1 before the first look. */
  private counts: readonly number[] = [-1, -1, -1, -1];
  private readonly choice: GlobalEnhancersChoice;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly moduleRef: ModuleRef,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS)
    options: { readonly globalEnhancers?: GlobalEnhancersChoice },
  ) {
    this.choice = options.globalEnhancers ?? 'all';
  }

  /** The same object for as long as nothing was added. */
  current(): EnhancerSources {
    const { config, counts } = this;
    const guards = config.getGlobalGuards();
    const interceptors = config.getGlobalInterceptors();
    const pipes = config.getGlobalPipes();
    const filters = config.getGlobalFilters();
    if (
      counts[0] !== guards.length ||
      counts[1] !== interceptors.length ||
      counts[2] !== pipes.length ||
      counts[3] !== filters.length
    ) {
      const snapshot = {
        guards: this.choose('guard', guards, config.getGlobalRequestGuards()),
        interceptors: this.choose(
          'interceptor',
          interceptors,
          config.getGlobalRequestInterceptors(),
        ),
        pipes: this.choose('pipe', pipes, config.getGlobalRequestPipes()),
        filters: this.choose('filter', filters, config.getGlobalRequestFilters()),
      };
      // Not before: a choice that throws must be asked again, and never leave the old list in force.
      this.counts = [guards.length, interceptors.length, pipes.length, filters.length];
      this.snapshot = snapshot;
    }
    return this.snapshot;
  }

  /** Nest's order: those with one instance first. */
  private choose<T extends object>(
    kind: EnhancerKind,
    instances: readonly T[],
    scoped: readonly ProviderWrapper[],
  ): InstanceSource<T>[] {
    const isChosen = (enhancer: object) => {
      const { choice } = this;
      return typeof choice === 'function' ? choice(enhancer, kind) : choice === 'all';
    };
    return [
      ...instances
        .filter(isChosen)
        .map((instance): InstanceSource<T> => ({ isStatic: true, instance })),
      ...scoped
        .filter((wrapper) => isChosen((wrapper.instance as object | null) ?? {}))
        .map((wrapper) => this.toSource<T>(kind, wrapper)),
    ];
  }

  private toSource<T extends object>(
    kind: EnhancerKind,
    wrapper: ProviderWrapper,
  ): InstanceSource<T> {
    const type = wrapper.isNotMetatype ? undefined : (wrapper.metatype as Type);
    return {
      isStatic: false,
      name: type?.name ?? `a factory of ${kind}s`,
      scope: scopeOfWrapper(wrapper),
      resolve: async (contextId) =>
        enhancerOf<T>(
          kind,
          type,
          await this.moduleRef.resolve<object>(wrapper.token as string, contextId, {
            strict: false,
          }),
        ),
    };
  }
}
