import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AGENT_TOOLS_MODULE_OPTIONS } from '../agent-tools.constants.js';
import type { AgentToolsModuleOptions } from '../interfaces/agent-tools-module-options.interface.js';
import { getChatModelToken } from '../models/chat-model.token.js';
import type { ChatModel } from '../models/interfaces/chat-model.interface.js';
import { ToolRegistry } from '../tools/tool.registry.js';
import { AgentLoop } from './agent.loop.js';
import { AgentService } from './agent.service.js';
import type { AgentOptions } from './interfaces/agent-options.interface.js';

/** Makes the agents of the module, and checks at boot that the tools which they name exist. */
@Injectable()
export class AgentFactory implements OnApplicationBootstrap {
  private readonly agents: AgentService[] = [];

  constructor(
    private readonly loop: AgentLoop,
    private readonly registry: ToolRegistry,
    @Inject(getChatModelToken()) private readonly model: ChatModel | undefined,
    @Inject(AGENT_TOOLS_MODULE_OPTIONS) private readonly options: AgentToolsModuleOptions,
  ) {}

  create(agent: Partial<AgentOptions>): AgentService {
    const { loop, registry, model, options } = this;
    const service = new AgentService(agent, { loop, registry, model, options });
    this.agents.push(service);
    return service;
  }

  onApplicationBootstrap(): void {
    for (const agent of this.agents) agent.verify();
  }
}
