import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { BootReport } from './boot-report.js';
import { BoundTool } from './execution/bound-tool.js';
import { ToolBinder } from './execution/tool.binder.js';
import { readAgentTool } from './tools/agent-tool.reader.js';
import type { AgentTool } from './tools/interfaces/agent-tool.interface.js';
import type { DiscoveredTool, ToolProblem } from './tools/interfaces/discovered-tool.interface.js';
import { ToolDeclarationException } from './tools/tool-declaration.exception.js';
import { describeTool } from './tools/tool.describer.js';
import { ToolRegistry, type ToolRegistryLoader } from './tools/tool.registry.js';
import { ToolsExplorer } from './tools/tools.explorer.js';
import { errorMessage } from './utils/error-message.js';

/**
 * Leads every tool through the steps explore → describe → bind → register. All problems of an
 * application come in one error, at boot.
 */
@Injectable()
export class AgentToolsOrchestrator implements OnModuleInit, ToolRegistryLoader {
  private readonly report = new BootReport();
  /** Methods that were looked at, so that a second look adds only what is new. */
  private readonly seen = new WeakMap<object, Set<string | symbol>>();
  private readonly discovered = new Map<BoundTool, DiscoveredTool>();
  private readonly problems: ToolProblem[] = [];
  private moduleCount = 0;
  private hasBooted = false;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly explorer: ToolsExplorer,
    private readonly binder: ToolBinder,
    private readonly registry: ToolRegistry,
  ) {
    registry.useLoader(this);
  }

  async onModuleInit(): Promise<void> {
    this.discover();
    const problems = [...this.problems];
    for (const [tool, source] of this.discovered) {
      try {
        await tool.pipeline();
      } catch (error) {
        problems.push(problemOf(source, error));
      }
    }
    if (problems.length > 0) throw new ToolDeclarationException(problems);
    this.hasBooted = true;
    for (const [tool, source] of this.discovered) {
      this.report.add(tool, () => this.binder.describeEnhancers(source));
    }
  }

  /** Nothing announces a lazily loaded module, but the number of modules tells. */
  load(): void {
    if (this.modules.size !== this.moduleCount) this.discover();
    if (this.problems.length === 0) return;
    const error = new ToolDeclarationException([...this.problems]);
    if (!this.hasBooted) throw error;
    // A lazily loaded module must not take the tools of the running application with it.
    this.report.refuse(error);
    this.problems.length = 0;
  }

  describe(tool: AgentTool): BoundTool {
    const source = readAgentTool(tool);
    try {
      const bound = this.bindLater(source);
      this.refuseDuplicate(bound, source);
      return bound;
    } catch (error) {
      throw new ToolDeclarationException([problemOf(source, error)]);
    }
  }

  private discover(): void {
    this.moduleCount = this.modules.size;
    const { tools, problems } = this.explorer.explore((wrapper, methodName) =>
      this.isNew(wrapper, methodName),
    );
    this.problems.push(...problems);
    for (const source of tools) {
      try {
        const tool = this.bindLater(source);
        this.refuseDuplicate(tool, source);
        this.discovered.set(tool, source);
        this.registry.add(tool);
      } catch (error) {
        this.problems.push(problemOf(source, error));
      }
    }
  }

  private isNew(wrapper: object, methodName: string | symbol): boolean {
    const methods = this.seen.get(wrapper) ?? new Set();
    this.seen.set(wrapper, methods);
    if (methods.has(methodName)) return false;
    methods.add(methodName);
    return true;
  }

  private bindLater(source: DiscoveredTool): BoundTool {
    const definition = describeTool(source);
    return new BoundTool(definition, source.hostClass, () => this.binder.bind(source, definition));
  }

  private refuseDuplicate({ definition }: BoundTool, source: DiscoveredTool): void {
    const owner = this.registry.peek(definition.name)?.definition.host;
    if (!owner) return;
    const isSameMethod =
      owner.className === source.hostClass.name && owner.methodName === String(source.methodName);
    throw new Error(
      `The name "${definition.name}" is taken by ${owner.className}.${owner.methodName}` +
        (isSameMethod
          ? ` of module "${owner.moduleName}". Provide the class in one module only and export it.`
          : '. Set another `name` in the options of one of the two.'),
    );
  }
}

function problemOf({ hostClass, methodName }: DiscoveredTool, error: unknown): ToolProblem {
  return {
    className: hostClass.name,
    methodName: String(methodName),
    message: errorMessage(error),
  };
}
