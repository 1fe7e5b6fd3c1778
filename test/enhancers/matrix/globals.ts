import { Scope, type DynamicModule, type INestApplication, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { moduleOf } from '../../support/app.js';
import type { Enhancer, EnhancerReference, EnhancerScope, Kind } from './enhancers.js';
import { dependenciesOf } from './forms.js';
import type { HostParts } from './hosts.js';
import type { Dependency } from './probe.js';

/** A way of registering a global enhancer. */
export interface GlobalRegistration {
  readonly title: string;
  /** How often there is a new one. */
  readonly scope: EnhancerScope;
  readonly isFactory?: boolean;
}

export const GLOBALS: readonly GlobalRegistration[] = [
  { title: '`useGlobal…()`', scope: 'instance' },
  { title: '`APP_…`', scope: 'singleton' },
  { title: 'request-scoped `APP_…`', scope: 'request-scoped' },
  { title: 'transient `APP_…`', scope: 'transient' },
  { title: 'request-scoped factory of `APP_…`', scope: 'request-scoped', isFactory: true },
];

export const GLOBAL_ORIGIN = 'module of the global enhancers';

const TOKENS: Record<Kind, string> = {
  guard: APP_GUARD,
  interceptor: APP_INTERCEPTOR,
  pipe: APP_PIPE,
  filter: APP_FILTER,
};

/** The module that provides the global enhancers of the parts, with what they depend on. */
export function globalModule(parts: HostParts, isFactory = false): DynamicModule {
  const providers = globalClasses(parts).map(({ kind, type }): Provider => {
    const provide = TOKENS[kind];
    if (!isFactory) return { provide, useClass: type };
    const useFactory = (dependency: Dependency) => new type(dependency);
    return { provide, scope: Scope.REQUEST, useFactory, inject: [parts.tokens.dependency] };
  });
  return moduleOf({
    providers: [...dependenciesOf({ origin: GLOBAL_ORIGIN }, parts), ...providers],
  });
}

export function useGlobalInstances(app: INestApplication, { placements }: HostParts): void {
  for (const { kind, level, reference } of placements) {
    if (level !== 'global' || typeof reference === 'function') continue;
    USE[kind](app, reference);
  }
}

const USE: Record<Kind, (app: INestApplication, instance: Enhancer) => void> = {
  guard: (app, instance) => app.useGlobalGuards(instance),
  interceptor: (app, instance) => app.useGlobalInterceptors(instance),
  pipe: (app, instance) => app.useGlobalPipes(instance),
  filter: (app, instance) => app.useGlobalFilters(instance),
};

function globalClasses({ placements }: HostParts) {
  return placements.flatMap(({ kind, level, reference }) =>
    level === 'global' && isClass(reference) ? [{ kind, type: reference }] : [],
  );
}

function isClass(reference: EnhancerReference) {
  return typeof reference === 'function';
}
