import { Injectable } from '@nestjs/common';
import type { SchemaSource } from '../schemas/interfaces/schema-source.interface.js';
import type { AgentTool } from './interfaces/agent-tool.interface.js';
import type { ToolDefinition } from './interfaces/tool-definition.interface.js';
import type { ToolsExplanation } from './interfaces/tool-explanation.interface.js';
import { toAnthropicTools, toMcpTools, toOpenAITools } from './tool-list.formats.js';
import type { AnthropicTool, McpTool, OpenAITool } from './tool-list.formats.js';

/** What the registry keeps: a definition, and for the executor how to call it. */
export interface RegisteredTool {
  readonly definition: ToolDefinition;
  /** Set when the tool is unregistered: runs that go on do not begin it any more. @internal */
  isRemoved?: boolean;
}

/** How the orchestrator fills the registry, without the registry knowing it. */
export interface ToolRegistryLoader<Registered extends RegisteredTool> {
  /** Makes sure that all providers were looked at, those of lazily loaded modules included. */
  load(): void;
  /** Describes and binds a tool that is made at run time. */
  prepare(tool: AgentTool): Promise<Registered>;
  explain(): Promise<ToolsExplanation>;
}

/**
 * All tools of the application. It fills itself at boot, or on first use in a testing module
 * without `init()`.
 *
 * @publicApi
 */
@Injectable()
export class ToolRegistry<Registered extends RegisteredTool = RegisteredTool> {
  private readonly tools = new Map<string, Registered>();
  private readonly toolsByChatName = new Map<string, Registered>();
  private loader?: ToolRegistryLoader<Registered>;
  private changes = 0;
  private sorted?: readonly Registered[];

  /** Every tool, ordered by name. */
  list(): ToolDefinition[] {
    return this.entries().map(({ definition }) => definition);
  }

  /** The tool of that name, or undefined. */
  get(name: string): ToolDefinition | undefined {
    return this.find(name)?.definition;
  }

  /**
   * Adds a tool at run time, once its enhancers are resolved.
   *
   * @throws ToolDeclarationException if its name is taken or not allowed, its schema cannot be
   * described, or an enhancer of it cannot be created
   */
  async register<const Source extends SchemaSource | undefined = undefined>(
    tool: AgentTool<Source>,
  ): Promise<ToolDefinition> {
    if (!this.loader) throw new Error('Tools can be registered once the module is created.');
    this.loader.load();
    const registered = await this.loader.prepare(tool as AgentTool);
    this.add(registered);
    return registered.definition;
  }

  /**
   * Tells of each tool its host, its scope, where its schema comes from and everything that runs around
   * it; and of every `@Tool()` that is no tool here, why.
   */
  async explain(): Promise<ToolsExplanation> {
    this.loader?.load();
    return this.loader ? this.loader.explain() : { tools: [], ignored: [] };
  }

  /** Removes a tool, also from the runs that go on. Returns whether there was one. Running calls end normally. */
  unregister(name: string): boolean {
    this.loader?.load();
    const tool = this.tools.get(name);
    if (!tool) return false;
    tool.isRemoved = true;
    this.tools.delete(name);
    this.toolsByChatName.delete(tool.definition.chatName);
    this.changed();
    return true;
  }

  /** The tools in the form of OpenAI's `tools` field, ordered by name. */
  toOpenAI(): OpenAITool[] {
    return toOpenAITools(this.list());
  }

  /** The tools in the form of Anthropic's `tools` field, ordered by name. */
  toAnthropic(): AnthropicTool[] {
    return toAnthropicTools(this.list());
  }

  /** The tools in the form of an MCP `tools/list` result, ordered by name. */
  toMcp(): McpTool[] {
    return toMcpTools(this.list());
  }

  /** @internal */
  useLoader(loader: ToolRegistryLoader<Registered>): void {
    this.loader = loader;
  }

  /** @internal */
  find(name: string): Registered | undefined {
    this.loader?.load();
    return this.tools.get(name);
  }

  /** The tool of that name among those known so far. @internal */
  peek(name: string): Registered | undefined {
    return this.tools.get(name);
  }

  /** The known tool that models know by that name. @internal */
  peekChatName(chatName: string): Registered | undefined {
    return this.toolsByChatName.get(chatName);
  }

  /** Ordered by code points, so that the order, and with it the prompt, never depends on a locale. @internal */
  entries(): readonly Registered[] {
    this.loader?.load();
    this.sorted ??= [...this.tools.values()].toSorted((a, b) =>
      a.definition.name < b.definition.name ? -1 : 1,
    );
    return this.sorted;
  }

  /** The live table of all tools. @internal */
  byName(): ReadonlyMap<string, Registered> {
    this.loader?.load();
    return this.tools;
  }

  /** Grows with every change, so that others can keep what they made of the list. @internal */
  get version(): number {
    this.loader?.load();
    return this.changes;
  }

  /** @internal */
  add(tool: Registered): void {
    this.tools.set(tool.definition.name, tool);
    this.toolsByChatName.set(tool.definition.chatName, tool);
    this.changed();
  }

  private changed(): void {
    this.changes++;
    this.sorted = undefined;
  }
}
