import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { lostEnhancers, overridingEnhancers } from './enhancer-metadata.check.js';
import { hostClassOf } from './host-class.js';
import type {
  DiscoveredTool,
  ProviderWrapper,
  ToolProblem,
} from './interfaces/discovered-tool.interface.js';
import type { ToolDeclaration } from './interfaces/tool-declaration.interface.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';
import { ToolParametersReader } from './tool-parameters.reader.js';

type IsNew = (wrapper: ProviderWrapper, methodName: string | symbol) => boolean;

/** What one look at the application found. */
export interface Exploration {
  readonly tools: readonly DiscoveredTool[];
  readonly problems: readonly ToolProblem[];
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
    for (const wrapper of this.discovery.getProviders()) {
      // `useExisting` lists the same provider a second time.
      if (!wrapper.isAlias) this.exploreHost(wrapper, isNew, tools, problems);
    }
    for (const wrapper of this.discovery.getControllers()) {
      this.refuseController(wrapper, isNew, problems);
    }
    return { tools, problems };
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

  private readTool(
    wrapper: ProviderWrapper,
    hostClass: Type<object>,
    prototype: object,
    declaration: ToolDeclaration,
    problems: ToolProblem[],
  ): DiscoveredTool | undefined {
    const { methodName, options } = declaration;
    const handler: unknown = Object.getOwnPropertyDescriptor(prototype, methodName)?.value;
    const report = (message: string) => {
      problems.push({ className: hostClass.name, methodName: String(methodName), message });
    };
    if (typeof handler !== 'function') {
      report('The method is gone from the prototype. Do not replace it by a getter.');
      return undefined;
    }
    for (const message of [
      ...lostEnhancers(this.accessor, declaration, handler),
      ...overridingEnhancers(this.accessor, hostClass, prototype, methodName),
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

  private refuseController(wrapper: ProviderWrapper, isNew: IsNew, problems: ToolProblem[]): void {
    const hostClass = hostClassOf(wrapper);
    if (!hostClass) return;
    for (const prototype of prototypeChain(hostClass)) {
      for (const methodName of this.accessor.getOwnDeclarations(prototype).keys()) {
        if (!isNew(wrapper, methodName)) continue;
        problems.push({
          className: hostClass.name,
          methodName: String(methodName),
          message:
            'A @Tool() on a controller is not supported yet. Move the method to a provider that ' +
            'the controller injects.',
        });
      }
    }
  }
}

/** The prototypes of a class, from its own to the last before `Object.prototype`. */
function prototypeChain(target: Type<object>): object[] {
  const chain: object[] = [];
  let prototype = target.prototype as object | null;
  while (prototype && prototype !== Object.prototype) {
    chain.push(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}
