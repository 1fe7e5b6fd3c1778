import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { lostMetadata, overridingMetadata } from './enhancer-metadata.check.js';
import { classTokenOf, hostClassOf } from './host-class.js';
import type {
  DiscoveredTool,
  ProviderWrapper,
  ToolProblem,
} from './interfaces/discovered-tool.interface.js';
import type { ToolDeclaration } from './interfaces/tool-declaration.interface.js';
import { prototypeChain } from './prototype-chain.js';
import { isModuleReady } from './provider-readiness.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';
import { ToolParametersReader } from './tool-parameters.reader.js';

type IsNew = (wrapper: ProviderWrapper, methodName: string | symbol) => boolean;

/** What one look at the application found. */
export interface Exploration {
  readonly tools: readonly DiscoveredTool[];
  readonly problems: readonly ToolProblem[];
  /** False while a module is being constructed; its tools are found by a later look. */
  readonly isComplete: boolean;
}

/** Finds the `@Tool` methods of all providers. It only finds: describing and binding come later. */
@Injectable()
export class ToolsExplorer {
  private readonly accessor = new ToolMetadataAccessor();
  private readonly parameters = new ToolParametersReader(this.accessor);

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * @param isNew whether a method was not found by an earlier look
   */
  explore(isNew: IsNew): Exploration {
    const tools: DiscoveredTool[] = [];
    const problems: ToolProblem[] = [];
    const readiness = new Map<object, boolean>();
    let isComplete = true;
    const isReady = ({ host }: ProviderWrapper): boolean => {
      if (!host) return true;
      const known = readiness.get(host) ?? isModuleReady(host);
      readiness.set(host, known);
      isComplete &&= known;
      return known;
    };
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      // `useExisting` lists the same provider a second time.
      if (!wrapper.isAlias && isReady(wrapper)) this.exploreHost(wrapper, isNew, tools, problems);
    }
    return { tools, problems, isComplete };
  }

  private exploreHost(
    wrapper: ProviderWrapper,
    isNew: IsNew,
    tools: DiscoveredTool[],
    problems: ToolProblem[],
  ): void {
    const hostClass = hostClassOf(wrapper);
    if (!hostClass) return;
    const visited = new Set<string | symbol>();
    this.refuseUndeclared(wrapper, hostClass, isNew, problems);
    for (const prototype of prototypeChain(hostClass)) {
      for (const [methodName, declaration] of this.accessor.getOwnDeclarations(prototype)) {
        // The subclass was looked at first: its override wins.
        if (visited.has(methodName)) continue;
        visited.add(methodName);
        if (!isNew(wrapper, methodName)) continue;
        const tool = this.readTool(wrapper, hostClass, prototype, declaration, problems);
        if (tool) tools.push(tool);
      }
    }
  }

  /** What looks like a tool but would not be one: a forgotten `@Tool()`, tools of a token only. */
  private refuseUndeclared(
    wrapper: ProviderWrapper,
    hostClass: Type<object>,
    isNew: IsNew,
    problems: ToolProblem[],
  ): void {
    const chain = prototypeChain(hostClass);
    const declared = new Set(
      chain.flatMap((prototype) => [...this.accessor.getOwnDeclarations(prototype).keys()]),
    );
    const report = (methodName: string | symbol, message: string) => {
      if (declared.has(methodName) || !isNew(wrapper, methodName)) return;
      problems.push({ className: hostClass.name, methodName: String(methodName), message });
    };
    for (const prototype of chain) {
      for (const methodName of this.accessor.getMarkedMethods(prototype)) {
        report(methodName, 'Its parameters are decorated for a tool, but @Tool() is missing.');
      }
    }
    const token = classTokenOf(wrapper);
    if (!token || token === hostClass || hostClass.prototype instanceof token) return;
    for (const prototype of prototypeChain(token)) {
      for (const methodName of this.accessor.getOwnDeclarations(prototype).keys()) {
        report(
          methodName,
          `The provider of "${token.name}" is an instance of another class, and @Tool() stands on ` +
            `"${token.name}" only. Declare the tool on "${hostClass.name}".`,
        );
      }
    }
  }

  private readTool(
    wrapper: ProviderWrapper,
    hostClass: Type<object>,
    prototype: object,
    declaration: ToolDeclaration,
    problems: ToolProblem[],
  ): DiscoveredTool | undefined {
    const { methodName, options } = declaration;
    const handler: unknown = Object.getOwnPropertyDescriptor(prototype, methodName)?.value;
    let isSound = true;
    const report = (message: string) => {
      isSound = false;
      problems.push({ className: hostClass.name, methodName: String(methodName), message });
    };
    if (typeof handler !== 'function') {
      report('The method is gone from the prototype. Do not replace it by a getter.');
      return undefined;
    }
    for (const message of [
      ...lostMetadata(this.accessor, declaration, handler),
      ...overridingMetadata(this.accessor, hostClass, prototype, methodName),
    ]) {
      report(message);
    }
    const { parameters, problems: unreadable } = this.parameters.read(
      prototype,
      methodName,
      handler as DiscoveredTool['handler'],
      options.inputSchema !== undefined,
    );
    for (const message of unreadable) report(message);
    // A problem does not always stop the application: the module may be loaded lazily.
    if (!isSound) return undefined;
    return {
      wrapper,
      instance: () => wrapper.instance as object,
      hostClass,
      methodName,
      handler: handler as DiscoveredTool['handler'],
      options,
      parameters,
    };
  }
}
