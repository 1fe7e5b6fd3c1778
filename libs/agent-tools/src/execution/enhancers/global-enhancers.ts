import { Inject, Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, ModuleRef, ModulesContainer } from '@nestjs/core';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../../agent-tools.constants.js';
import type { ProviderWrapper } from '../../tools/interfaces/discovered-tool.interface.js';
import type { EnhancerKind } from '../../tools/tool-metadata.accessor.js';
import { enhancerOf } from './enhancer-kind.js';
import { scopeOfWrapper } from './enhancer.resolver.js';
import type { EnhancerSources } from '../interfaces/enhancers.interface.js';
import type { GlobalEnhancersChoice } from '../interfaces/global-enhancers-choice.interface.js';
import type { InstanceSource } from '../interfaces/instance-source.interface.js';

/** Under which Nest keeps the provider of an `APP_GUARD` and the like. */
const APPLICATION_ENHANCER = /^APP_(?:GUARD|INTERCEPTOR|PIPE|FILTER) \(UUID/;

/** The application's global enhancers. `useGlobal…` may still add some after the boot. */
@Injectable()
export class GlobalEnhancers {
  private snapshot: EnhancerSources = { guards: [], interceptors: [], pipes: [], filters: [] };
  /** How many there were at the last look, of each kind and scope. */
  private counts: readonly number[] = [];
  private areApplied = false;
  private readonly choice: GlobalEnhancersChoice;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly moduleRef: ModuleRef,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS)
    options: { readonly globalEnhancers?: GlobalEnhancersChoice },
  ) {
    this.choice = options.globalEnhancers ?? 'all';
  }

  /**
   * The same object for as long as nothing was added.
   *
   * @throws Error while Nest has not put the `APP_*` enhancers into force yet, or what the choice throws
   */
  current(): EnhancerSources {
    const { config, counts } = this;
    const guards = config.getGlobalGuards();
    const interceptors = config.getGlobalInterceptors();
    const pipes = config.getGlobalPipes();
    const filters = config.getGlobalFilters();
    const scopedGuards = config.getGlobalRequestGuards();
    const scopedInterceptors = config.getGlobalRequestInterceptors();
    const scopedPipes = config.getGlobalRequestPipes();
    const scopedFilters = config.getGlobalRequestFilters();
    if (
      counts[0] === guards.length &&
      counts[1] === interceptors.length &&
      counts[2] === pipes.length &&
      counts[3] === filters.length &&
      counts[4] === scopedGuards.length &&
      counts[5] === scopedInterceptors.length &&
      counts[6] === scopedPipes.length &&
      counts[7] === scopedFilters.length
    ) {
      return this.snapshot;
    }
    const all = [guards, interceptors, pipes, filters];
    const scoped = [scopedGuards, scopedInterceptors, scopedPipes, scopedFilters];
    const found = [...all, ...scoped].map(({ length }) => length);
    this.refuseTooEarly(found.reduce((sum, count) => sum + count, 0));
    const snapshot = {
      guards: this.choose('guard', guards, scopedGuards),
      interceptors: this.choose('interceptor', interceptors, scopedInterceptors),
      pipes: this.choose('pipe', pipes, scopedPipes),
      filters: this.choose('filter', filters, scopedFilters),
    };
    // Not before: a choice that throws must be asked again, and never leave the old list in force.
    this.counts = found;
    this.snapshot = snapshot;
    return snapshot;
  }

  /** Nest puts `APP_GUARD` and the like into force only when all providers are constructed. */
  private refuseTooEarly(found: number): void {
    if (this.areApplied) return;
    let declared = 0;
    for (const { providers, injectables } of this.modules.values()) {
      for (const token of [...providers.keys(), ...injectables.keys()]) {
        if (typeof token === 'string' && APPLICATION_ENHANCER.test(token)) declared++;
      }
    }
    if (found < declared) {
      throw new Error(
        'The application is still being constructed, and its APP_* enhancers would not run. Use tools from ' +
          'onModuleInit() on, not in constructors and factories.',
      );
    }
    this.areApplied = true;
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
