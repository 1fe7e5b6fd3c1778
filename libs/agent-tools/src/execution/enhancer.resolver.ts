import { Injectable, Scope, type Type } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { SCOPE_OPTIONS_METADATA } from '../agent-tools.constants.js';
import type { ProviderWrapper } from '../tools/interfaces/discovered-tool.interface.js';
import { errorMessage } from '../utils/error-message.js';

export type HostModule = NonNullable<ProviderWrapper['host']>;

/**
 * Finds the instance of an enhancer for a host in a module, for every form of host. Nest's own
 * lookup drops what it does not find, and a guard with it; here there is no such outcome: an
 * enhancer is found, created, or the application does not start.
 */
@Injectable()
export class EnhancerResolver {
  /** One instance for each module and class, as Nest has. */
  private readonly created = new WeakMap<HostModule, Map<Type, Promise<object>>>();

  constructor(private readonly modules: ModulesContainer) {}

  /**
   * @throws Error whose message is a problem for the boot error
   */
  async resolve(enhancer: Type | object, module: HostModule): Promise<object> {
    if (typeof enhancer !== 'function') return enhancer;
    const type = enhancer as Type;
    const injectable = module.injectables.get(type);
    if (injectable) return instanceOf(injectable, type);
    const override = this.findOverride(type);
    if (override) return instanceOf(override, type);
    return this.create(type, module);
  }

  /** A test's `overrideGuard()` and the like replace an injectable in whatever module has it. */
  private findOverride(type: Type): ProviderWrapper | undefined {
    for (const module of this.modules.values()) {
      const injectable = module.injectables.get(type);
      if (injectable && injectable.metatype !== type) return injectable;
    }
    return undefined;
  }

  private create(type: Type, module: HostModule): Promise<object> {
    let ofModule = this.created.get(module);
    if (!ofModule) {
      ofModule = new Map();
      this.created.set(module, ofModule);
    }
    let instance = ofModule.get(type);
    if (!instance) {
      instance = createIn(type, module);
      ofModule.set(type, instance);
    }
    return instance;
  }
}

function instanceOf(injectable: ProviderWrapper, type: Type): object {
  if (injectable.isTransient || !injectable.isDependencyTreeStatic()) throw scopedError(type);
  return injectable.instance as object;
}

async function createIn(type: Type, module: HostModule): Promise<object> {
  const scope = (Reflect.getMetadata(SCOPE_OPTIONS_METADATA, type) as { scope?: Scope } | undefined)
    ?.scope;
  if (scope !== undefined && scope !== Scope.DEFAULT) throw scopedError(type);
  const moduleRef = module.getProviderByKey<ModuleRef>(ModuleRef).instance;
  try {
    return await moduleRef.create<object>(type);
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'RequestScopedCreateException') {
      throw scopedError(type);
    }
    throw new Error(
      `"${type.name}" cannot be created in module "${module.name}": ${errorMessage(error)} ` +
        'Import what it depends on into that module.',
      { cause: error },
    );
  }
}

function scopedError(type: Type): Error {
  return new Error(
    `"${type.name}" is request-scoped or transient, or depends on something that is. Scoped enhancers ` +
      'of tools are not supported yet: make it a singleton.',
  );
}
