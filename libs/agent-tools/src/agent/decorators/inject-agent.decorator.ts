import { Inject } from '@nestjs/common';
import { getAgentToken } from '../agent.tokens.js';

/**
 * Injects an agent of `AgentToolsModule.forFeature({ agents })` as an `AgentService`.
 *
 * @publicApi
 */
export function InjectAgent(name: string): ParameterDecorator & PropertyDecorator {
  return Inject(getAgentToken(name));
}
