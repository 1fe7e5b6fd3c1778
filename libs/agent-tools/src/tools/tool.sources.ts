import { Injectable, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { readAgentTool } from './agent-tool.reader.js';
import type { AgentTool } from './interfaces/agent-tool.interface.js';
import type { DiscoveredTool, ProviderWrapper } from './interfaces/discovered-tool.interface.js';

/** A tool object, or the class of a provider that is one. */
export type AgentToolSource = AgentTool | Type<AgentTool>;

/** Keeps the tools of `forFeature({ tools })` until they are discovered. */
@Injectable()
export class ToolSources {
  private readonly waiting: AgentToolSource[] = [];

  constructor(private readonly modules: ModulesContainer) {}

  add(sources: readonly AgentToolSource[]): void {
    this.waiting.push(...sources);
  }

  /** Each of them once. */
  take(): AgentToolSource[] {
    return this.waiting.splice(0);
  }

  /**
   * @throws Error whose message is a problem for the boot error
   */
  read(source: AgentToolSource): DiscoveredTool {
    return typeof source === 'function' ? this.readProvider(source) : readAgentTool(source);
  }

  private readProvider(type: Type<AgentTool>): DiscoveredTool {
    const wrapper = this.find(type);
    if (!wrapper) {
      throw new Error(
        'It is listed in `forFeature({ tools })`, but no module provides it. Add it to the `providers` of its module.',
      );
    }
    if (wrapper.isTransient || !wrapper.isDependencyTreeStatic()) {
      throw new Error(
        'A class that implements AgentTool is asked for its name and schema at boot, so it cannot be ' +
          'request-scoped or transient. Make it a singleton, or put @Tool({ name, … }) on `execute`.',
      );
    }
    return readAgentTool(wrapper.instance as AgentTool, wrapper);
  }

  private find(type: Type): ProviderWrapper | undefined {
    for (const { providers } of this.modules.values()) {
      const wrapper = providers.get(type);
      if (wrapper) return wrapper;
    }
    return undefined;
  }
}
