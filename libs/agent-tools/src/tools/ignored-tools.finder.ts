import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { declaredPrototypes } from './declared-classes.js';
import { hostClassOf } from './host-class.js';
import type { ProviderWrapper } from './interfaces/discovered-tool.interface.js';
import type { IgnoredTool } from './interfaces/tool-explanation.interface.js';
import { prototypeChain } from './prototype-chain.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';

/** Finds every `@Tool()` that is none, with the reason. */
@Injectable()
export class IgnoredToolsFinder {
  private readonly accessor = new ToolMetadataAccessor();

  constructor(private readonly discovery: DiscoveryService) {}

  find(): IgnoredTool[] {
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    return [
      ...hosts.flatMap((wrapper) =>
        wrapper.isAlias ? this.aliasOf(wrapper) : this.overridden(wrapper),
      ),
      ...this.unknowable(hosts),
      ...this.notProvided(hosts),
    ];
  }

  /**
   * Request-scoped factories under a name, whose class nobody can know before a run, as long as there
   * are classes with tools that no provider has: they may be what the factory makes.
   */
  suspectFactories(): IgnoredTool[] {
    const hosts = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    const missing = this.notProvided(hosts);
    if (missing.length === 0) return [];
    const names = [...new Set(missing.map(({ className }) => className))].slice(0, 5).join(', ');
    return this.unknowable(hosts).map((one) => ({
      ...one,
      reason: `${one.reason} (Classes with @Tool() that no module provides: ${names}.)`,
    }));
  }

  private aliasOf(wrapper: ProviderWrapper): IgnoredTool[] {
    const hostClass = hostClassOf(wrapper);
    if (!hostClass) return [];
    const reason = `"${String(wrapper.name)}" is an alias; the tool counts once, for the provider itself.`;
    return prototypeChain(hostClass).flatMap((prototype) =>
      this.declared(prototype).map((methodName) => ({
        className: hostClass.name,
        methodName,
        moduleName: wrapper.host?.name,
        reason,
      })),
    );
  }

  private overridden(wrapper: ProviderWrapper): IgnoredTool[] {
    const hostClass = hostClassOf(wrapper);
    if (!hostClass) return [];
    const seen = new Set<string>();
    return prototypeChain(hostClass).flatMap((prototype) =>
      this.declared(prototype).flatMap((methodName): IgnoredTool[] => {
        const isOverridden = seen.has(methodName);
        seen.add(methodName);
        const { name } = prototype.constructor;
        const reason = `Overridden by a @Tool() of ${hostClass.name} or of a class between the two.`;
        return isOverridden
          ? [{ className: name, methodName, moduleName: wrapper.host?.name, reason }]
          : [];
      }),
    );
  }

  private unknowable(hosts: readonly ProviderWrapper[]): IgnoredTool[] {
    return hosts
      .filter(
        (wrapper) =>
          wrapper.isNotMetatype &&
          !wrapper.isAlias &&
          (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) &&
          // Nest's own, of which `REQUEST` is one.
          wrapper.host?.name !== 'InternalCoreModule' &&
          !hostClassOf(wrapper),
      )
      .map((wrapper) => ({
        className: String(wrapper.name),
        moduleName: wrapper.host?.name,
        reason:
          `"${String(wrapper.name)}" is a request-scoped factory under a name, so the class of what it makes ` +
          'is not known before a run, and tools of it are not found. Provide it under its class: ' +
          '{ provide: OrderTools, scope: Scope.REQUEST, useFactory }.',
      }));
  }

  private notProvided(hosts: readonly ProviderWrapper[]): IgnoredTool[] {
    const provided = new Set(
      hosts.flatMap((wrapper) => {
        const hostClass = hostClassOf(wrapper);
        return hostClass ? prototypeChain(hostClass) : [];
      }),
    );
    return declaredPrototypes()
      .filter((prototype) => !provided.has(prototype))
      .flatMap((prototype) =>
        this.declared(prototype).map((methodName) => ({
          className: prototype.constructor.name,
          methodName,
          reason: 'No module of this application provides the class. Add it to `providers`.',
        })),
      );
  }

  private declared(prototype: object): string[] {
    return [...this.accessor.getOwnDeclarations(prototype).keys()].map(String);
  }
}
