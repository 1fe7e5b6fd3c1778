import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../agent-tools.constants.js';
import { getChatModelToken } from '../models/chat-model.token.js';
import type { BoundTool } from '../execution/bound-tool.js';
import { ConverterResolver } from '../execution/results/converter.resolver.js';
import type { ChatModel } from '../models/interfaces/chat-model.interface.js';
import { ToolRegistry } from '../tools/tool.registry.js';
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
    @Inject(getChatModelToken()) private readonly model: ChatModel | undefined,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: AgentDefaults,
  ) {}

  create(agent: Partial<AgentOptions>): AgentService {
    if (agent.name !== undefined) this.names.push(agent.name);
    refuseDuplicateNames(this.names);
    const { loop, registry, converters, model, options } = this;
    const service = new AgentService(agent, { loop, registry, converters, model, options });
    this.agents.push(service);
    return service;
  }

  async onApplicationBootstrap(): Promise<void> {
    checkLimits('AgentToolsModule', this.options.limits);
    if (this.model && typeof this.model.generate !== 'function') {
      throw new TypeError(
        'The `model` of AgentToolsModule is no chat model. Call the factory: offline(), openai({ model }).',
      );
    }
    for (const agent of this.agents) await agent.verify();
  }
}
