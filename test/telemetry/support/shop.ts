import {
  AgentService,
  type AgentResult,
  type AgentRunOptions,
  type AgentToolsModuleOptions,
  type ChatModel,
} from 'nestjs-agent-tools';
import { startAgent } from '../../loop/support/agent.js';
import { ShopTools } from './shop.tools.js';

export const QUESTION = 'Where is my parcel, please?';

/** The default agent of the shop, which answers from a script. */
export async function openShop(model: ChatModel, options: AgentToolsModuleOptions = {}) {
  const { app } = await startAgent([ShopTools], { model, ...options });
  return { app, agent: app.get(AgentService), shop: app.get(ShopTools) };
}

/** The same in both ways to run. */
export const WAYS: [
  string,
  (agent: AgentService, options?: AgentRunOptions) => Promise<AgentResult>,
][] = [
  ['run()', (agent, options) => agent.run(QUESTION, options)],
  ['stream()', (agent, options) => agent.stream(QUESTION, options).result],
];
