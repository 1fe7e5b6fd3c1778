import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AGENT_TOOLS_MODULE_OPTIONS } from './agent-tools.constants.js';
import { BootReport } from './boot-report.js';
import type { AgentToolsModuleOptions } from './interfaces/agent-tools-module-options.interface.js';
import { MODULE_OPTIONS } from './module-option-names.js';
import { checkOptionNames } from './utils/check-option-names.js';
import { BoundTool } from './execution/bound-tool.js';
import { EnhancerLifecycle } from './execution/enhancers/enhancer.lifecycle.js';
import { ToolBinder } from './execution/tool.binder.js';
import { getChatModelToken } from './models/chat-model.tokens.js';
import type { ChatModel } from './models/interfaces/chat-model.interface.js';
import { readAgentTool, refuseParameterDecorators } from './tools/agent-tool.reader.js';
import type { AgentTool } from './tools/interfaces/agent-tool.interface.js';
import type { DiscoveredTool, ToolProblem } from './tools/interfaces/discovered-tool.interface.js';
import type {
  ToolExplanation,
  ToolsExplanation,
} from './tools/interfaces/tool-explanation.interface.js';
import { IgnoredToolsFinder } from './tools/ignored-tools.finder.js';
import type { ToolHost } from './tools/interfaces/tool-definition.interface.js';
import { ToolDeclarationException } from './tools/tool-declaration.exception.js';
import { describeTool } from './tools/tool.describer.js';
import { ToolRegistry, type ToolRegistryLoader } from './tools/tool.registry.js';
import { ToolSources } from './tools/tool.sources.js';
import { ToolsExplorer } from './tools/tools.explorer.js';
import { errorMessage } from './utils/error-message.js';

/**
 * Leads every tool through the steps explore → describe → bind → register. All problems of an
 * application come in one error, at boot.
 */
@Injectable()
export class AgentToolsOrchestrator implements OnModuleInit, ToolRegistryLoader<BoundTool> {
  private readonly report: BootReport;
  /** Methods that were looked at, so that a second look adds only what is new. */
  private readonly seen = new WeakMap<object, Set<string | symbol>>();
  private readonly discovered = new Map<BoundTool, DiscoveredTool>();
  private readonly problems: ToolProblem[] = [];
  /** Tools of lazily loaded modules that were left out. */
  private readonly refused: ToolProblem[] = [];
  private moduleCount = 0;
  /** Settled when all tools of lazily loaded modules are bound, or left out. It never rejects. */
  private binding: Promise<unknown> = Promise.resolve();
  private hasBooted = false;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly explorer: ToolsExplorer,
    private readonly binder: ToolBinder,
    private readonly registry: ToolRegistry<BoundTool>,
    private readonly lifecycle: EnhancerLifecycle,
    private readonly ignored: IgnoredToolsFinder,
    private readonly sources: ToolSources,
    @Inject(getChatModelToken()) model: ChatModel | undefined,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: AgentToolsModuleOptions,
  ) {
    this.report = new BootReport(model);
    registry.useLoader(this);
  }

  async onModuleInit(): Promise<void> {
    checkOptionNames('AgentToolsModule', this.options, MODULE_OPTIONS);
    this.discover();
    const problems = [...this.problems];
    // Once, and not for each tool.
    const refusal = await this.binder.prepare().catch((error: unknown) => error);
    if (refusal) {
      const message = errorMessage(refusal);
      problems.push({ className: 'AgentToolsModule', methodName: 'forRoot', message });
      throw new ToolDeclarationException(problems);
    }
    for (const [tool, source] of this.discovered) {
      try {
        await tool.pipeline();
      } catch (error) {
        problems.push(problemOf(source, error));
      }
    }
    if (problems.length > 0) throw new ToolDeclarationException(problems);
    await this.lifecycle.initialize();
    this.hasBooted = true;
    for (const tool of this.discovered.keys()) {
      this.report.add(tool, await tool.pipeline());
    }
    for (const { reason } of this.ignored.suspectFactories()) this.report.warn(reason);
  }

  /** Nothing announces a lazily loaded module, but the number of modules tells. */
  load(): void {
    if (this.modules.size !== this.moduleCount) {
      const added = this.discover();
      if (this.hasBooted) this.binding = Promise.all([this.binding, this.bindLate(added)]);
    }
    if (this.problems.length === 0) return;
    const problems = this.problems.splice(0);
    // Without a boot, in a testing module, the first use is the place to fail.
    if (!this.hasBooted) {
      this.problems.push(...problems);
      throw new ToolDeclarationException(problems);
    }
    // A lazily loaded module must not take the tools of the running application with it.
    this.refuse(problems);
  }

  async prepare(tool: AgentTool): Promise<BoundTool> {
    const source = toSource(tool);
    try {
      refuseParameterDecorators(source);
      const bound = this.bindLater(source);
      this.refuseDuplicate(bound, source);
      await bound.pipeline();
      // Another one may have come meanwhile.
      this.refuseDuplicate(bound, source);
      return bound;
    } catch (error) {
      throw new ToolDeclarationException([problemOf(source, error)]);
    }
  }

  async explain(): Promise<ToolsExplanation> {
    await this.binding;
    const explained = this.registry.entries().map(async (tool): Promise<ToolExplanation> => {
      const { name, host, inputSchema } = tool.definition;
      const pipeline = await tool.pipeline();
      return { name, host, schemaSource: inputSchema.source, ...pipeline.explain() };
    });
    const refused = this.refused.map(({ message, ...method }) => ({ ...method, reason: message }));
    return {
      tools: await Promise.all(explained),
      ignored: [...this.ignored.find(), ...refused],
    };
  }

  /** A tool of a lazily loaded module whose enhancers would not run is taken out again. */
  private async bindLate(tools: readonly BoundTool[]): Promise<void> {
    for (const tool of tools) {
      try {
        await tool.pipeline();
      } catch (error) {
        if (this.registry.peek(tool.definition.name) === tool) {
          this.registry.unregister(tool.definition.name);
        }
        const { className, methodName } = tool.definition.host;
        this.refuse([{ className, methodName, message: errorMessage(error) }]);
      }
    }
  }

  private refuse(problems: readonly ToolProblem[]): void {
    this.refused.push(...problems);
    this.report.refuse(new ToolDeclarationException(problems));
  }

  private discover(): BoundTool[] {
    const added: BoundTool[] = [];
    const { tools, problems, isComplete } = this.explorer.explore((wrapper, methodName) =>
      this.isNew(wrapper, methodName),
    );
    // As long as a module is being constructed, the next use looks again.
    this.moduleCount = isComplete ? this.modules.size : -1;
    this.problems.push(...problems);
    for (const source of [...tools, ...this.readSources(isComplete)]) {
      try {
        const tool = this.bindLater(source);
        this.refuseDuplicate(tool, source);
        this.discovered.set(tool, source);
        this.registry.add(tool);
        added.push(tool);
      } catch (error) {
        this.problems.push(problemOf(source, error));
      }
    }
    return added;
  }

  /** Tool objects. Their providers are asked only when all of them are constructed. */
  private readSources(isComplete: boolean): DiscoveredTool[] {
    if (!isComplete) return [];
    return this.sources.take().flatMap((source) => {
      try {
        const tool = this.sources.read(source);
        refuseParameterDecorators(tool);
        return [tool];
      } catch (error) {
        const className = typeof source === 'function' ? source.name : source.constructor.name;
        this.problems.push({ className, methodName: 'execute', message: errorMessage(error) });
        return [];
      }
    });
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
    const { name, chatName } = definition;
    const other = this.registry.peekChatName(chatName)?.definition;
    if (!other) return;
    const { host } = other;
    const owner = `${host.className}.${host.methodName}`;
    throw new Error(
      other.name === name
        ? `The name "${name}" is taken by ${owner}${remedyFor(source, host)}`
        : `Models would know the tools "${name}" and "${other.name}" (${owner}) both as "${chatName}", ` +
            'because they accept only letters, digits, "_" and "-". Rename one of the two.',
    );
  }
}

function toSource(tool: AgentTool): DiscoveredTool {
  try {
    return readAgentTool(tool);
  } catch (error) {
    const className = tool.constructor.name;
    const problem = { className, methodName: 'execute', message: errorMessage(error) };
    throw new ToolDeclarationException([problem]);
  }
}

function remedyFor(source: DiscoveredTool, owner: ToolHost): string {
  if (!source.wrapper) return '. Choose another name, or unregister() the other tool first.';
  const isSameMethod =
    owner.className === source.hostClass.name && owner.methodName === String(source.methodName);
  return isSameMethod
    ? ` of module "${owner.moduleName}". Provide the class in one module only and export it.`
    : '. Set another `name` in the options of one of the two.';
}

function problemOf({ hostClass, methodName }: DiscoveredTool, error: unknown): ToolProblem {
  return {
    className: hostClass.name,
    methodName: String(methodName),
    message: errorMessage(error),
  };
}
