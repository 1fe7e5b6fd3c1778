import { Injectable, Scope, type Type } from '@nestjs/common';
import { ModuleRef, ModulesContainer, type ContextId } from '@nestjs/core';
import { SCOPE_OPTIONS_METADATA } from '../../agent-tools.constants.js';
import type { ProviderWrapper } from '../../tools/interfaces/discovered-tool.interface.js';
import { isModuleReady } from '../../tools/provider-readiness.js';
import { errorMessage } from '../../utils/error-message.js';
import { EnhancerLifecycle } from './enhancer.lifecycle.js';
import type { InstanceScope } from '../../tools/interfaces/tool-explanation.interface.js';
import type { InstanceSource } from '../interfaces/instance-source.interface.js';

export type HostModule = NonNullable<ProviderWrapper['host']>;

/** Whose enhancers are resolved. */
export interface EnhancerHost {
  readonly module: HostModule;
  /** Stands for the provider; transient enhancers have one instance for each. */
  readonly key: object;
  readonly isStatic: boolean;
}

/** What was created for one module, or for one host: an instance for each class. */
type Created = Map<Type, Promise<InstanceSource>>;

/**
 * Finds the instance of an enhancer for a host in a module, for every form of host and every scope.
 * Nest's own lookup drops what it does not find, and a guard with it; here there is no such outcome:
 * an enhancer is found, created, or the application does not start.
 */
@Injectable()
export class EnhancerResolver {
  /** One static instance for each module and class, as Nest has; of transient ones for each host. */
  private readonly created = new WeakMap<object, Created>();

  constructor(
    private readonly modules: ModulesContainer,
    private readonly lifecycle: EnhancerLifecycle,
  ) {}

  /**
   * @throws Error whose message is a problem for the boot error
   */
  async resolve(enhancer: Type | object, host: EnhancerHost): Promise<InstanceSource> {
    if (typeof enhancer !== 'function') return { isStatic: true, instance: enhancer };
    const type = enhancer as Type;
    const injectable = host.module.injectables.get(type) ?? this.findOverride(type);
    if (!injectable || (injectable.isTransient && injectable.metatype === type)) {
      return this.create(type, host);
    }
    const module = injectable.host ?? host.module;
    refuseUnconstructed(type, module);
    return sourceOf(injectable, module);
  }

  /**
   * The same for a class that is a provider, of the given module or of another one; it is created if it
   * is none.
   *
   * @throws Error whose message is a problem for the boot error
   */
  async resolveProvider(type: Type, module: HostModule): Promise<InstanceSource> {
    for (const candidate of [module, ...this.modules.values()]) {
      const wrapper = candidate.providers.get(type);
      if (!wrapper) continue;
      refuseUnconstructed(type, candidate);
      return sourceOf(wrapper, candidate);
    }
    return this.create(type, { module, key: module, isStatic: false });
  }

  /** The module in which we create what no module provides. */
  ownModule(): HostModule {
    for (const module of this.modules.values()) {
      if (module.providers.has(EnhancerResolver)) return module;
    }
    throw new Error('AgentToolsModule is not part of this application.');
  }

  /** A test's `overrideGuard()` and the like replace an injectable in whatever module has it. */
  private findOverride(type: Type): ProviderWrapper | undefined {
    for (const module of this.modules.values()) {
      const injectable = module.injectables.get(type);
      if (injectable && injectable.metatype !== type) return injectable;
    }
    return undefined;
  }

  private create(type: Type, host: EnhancerHost): Promise<InstanceSource> {
    const scope = scopeOf(type);
    const isTransient = scope === 'transient';
    const owner = isTransient ? host.key : host.module;
    const known: Created = this.created.get(owner) ?? new Map();
    this.created.set(owner, known);
    let source = known.get(type);
    if (!source) {
      const isScoped =
        scope === 'request' || scope === 'durable' || (isTransient && !host.isStatic);
      source = isScoped
        ? Promise.resolve(scopedCreation(type, host.module, scope))
        : this.createStatic(type, host.module);
      known.set(type, source);
    }
    return source;
  }

  private async createStatic(type: Type, module: HostModule): Promise<InstanceSource> {
    try {
      const instance = await moduleRefOf(module).create<object>(type);
      await this.lifecycle.add(instance);
      return { isStatic: true, instance };
    } catch (error) {
      if (error instanceof Error && error.constructor.name === 'RequestScopedCreateException') {
        return scopedCreation(type, module, 'request');
      }
      throw new Error(
        `"${type.name}" cannot be created in module "${module.name}": ${errorMessage(error)} ` +
          'Import what it depends on into that module.',
        { cause: error },
      );
    }
  }
}

/** The source of something that a module holds. */
export function sourceOf(wrapper: ProviderWrapper, module: HostModule): InstanceSource {
  const { token, metatype } = wrapper;
  if (!wrapper.isTransient && wrapper.isDependencyTreeStatic()) {
    return { isStatic: true, instance: wrapper.instance as object };
  }
  const moduleRef = moduleRefOf(module);
  return {
    isStatic: false,
    name: wrapper.isNotMetatype ? String(wrapper.name) : (metatype as Type).name,
    scope: scopeOfWrapper(wrapper),
    resolve: (contextId) =>
      moduleRef.resolve<object>(token as Type<object>, contextId, { strict: true }),
  };
}

/** Modules of which all is constructed; that does not change any more. */
const constructed = new WeakSet<HostModule>();

/** What is not constructed yet is a placeholder without state, and would be taken for good. */
function refuseUnconstructed(type: Type, module: HostModule): void {
  if (constructed.has(module)) return;
  if (isModuleReady(module)) {
    constructed.add(module);
    return;
  }
  throw new Error(
    `"${type.name}" cannot be used yet: module "${module.name}" is still being constructed. Use tools from ` +
      'onModuleInit() on, not in constructors and factories.',
  );
}

export function scopeOfWrapper(wrapper: ProviderWrapper): InstanceScope {
  if (wrapper.isTransient) return 'transient';
  if (wrapper.isDependencyTreeStatic()) return 'singleton';
  return wrapper.isDependencyTreeDurable() ? 'durable' : 'request';
}

function moduleRefOf(module: HostModule): ModuleRef {
  return module.getProviderByKey<ModuleRef>(ModuleRef).instance;
}

/** Creates one instance for each context, as Nest has one of each injectable of a module. */
function scopedCreation(type: Type, module: HostModule, scope: InstanceScope): InstanceSource {
  const instances = new WeakMap<ContextId, Promise<object>>();
  const moduleRef = moduleRefOf(module);
  return {
    isStatic: false,
    name: type.name,
    scope,
    resolve: (contextId) => {
      // Durable instances belong to what the application's strategy makes of the context.
      const owner =
        (scope === 'durable' && contextId.getParent?.({ token: type, isTreeDurable: true })) ||
        contextId;
      const known = instances.get(owner);
      if (known) return known;
      const instance = moduleRef.create<object>(type, contextId);
      instances.set(owner, instance);
      // A constructor that threw may succeed in the next call.
      instance.catch(() => instances.delete(owner));
      return instance;
    },
  };
}

function scopeOf(type: Type): InstanceScope {
  const options = Reflect.getMetadata(SCOPE_OPTIONS_METADATA, type) as
    { scope?: Scope; durable?: boolean } | undefined;
  if (options?.scope === Scope.TRANSIENT) return 'transient';
  if (options?.scope === Scope.REQUEST) return options.durable ? 'durable' : 'request';
  return 'singleton';
}
