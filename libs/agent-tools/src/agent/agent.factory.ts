import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AGENT_TOOLS_MODEL_NAMES, AGENT_TOOLS_MODULE_OPTIONS } from '../agent-tools.constants.js';
import { ChatModelRegistry } from '../models/chat-model.registry.js';
import type { BoundTool } from '../execution/bound-tool.js';
import { ConverterResolver } from '../execution/results/converter.resolver.js';
import { ToolRegistry } from '../tools/tool.registry.js';
import { checkModelSettings } from '../models/settings/check-settings.js';
import { checkLimits } from './check-limits.js';
import { AgentLoop } from './agent.loop.js';
import { AgentService } from './agent.service.js';
import { refuseDuplicateNames } from './refuse-duplicate-names.js';
import type { AgentDefaults } from './interfaces/agent-defaults.interface.js';
import type { AgentOptions } from './interfaces/agent-options.interface.js';

/** Makes the agents of the module, and checks at boot that the tools which they name exist. */
@Injectable()
export class AgentFactory implements OnApplicationBootstrap {
  private readonly agents: AgentService[] = [];
  private readonly names: string[] = [];

  constructor(
    private readonly loop: AgentLoop,
    private readonly registry: ToolRegistry<BoundTool>,
    private readonly converters: ConverterResolver,
    private readonly models: ChatModelRegistry,
    @Inject(AGENT_TOOLS_MODEL_NAMES) private readonly modelNames: readonly string[],
    @Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: AgentDefaults,
  ) {}

  create(agent: Partial<AgentOptions>): AgentService {
    if (agent.name !== undefined) this.names.push(agent.name);
    refuseDuplicateNames(this.names);
    const { loop, registry, converters, models, options } = this;
    const service = new AgentService(agent, { loop, registry, converters, models, options });
    this.agents.push(service);
    return service;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { limits, modelSettings } = this.options;
    checkLimits('AgentToolsModule', limits);
    checkModelSettings('AgentToolsModule', modelSettings);
    this.models.verify(this.modelNames);
    for (const agent of this.agents) await agent.verify();
  }
}
