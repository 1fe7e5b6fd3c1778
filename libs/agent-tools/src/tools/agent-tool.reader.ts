import type { Type } from '@nestjs/common';
import type { AgentTool } from './interfaces/agent-tool.interface.js';
import type { DiscoveredTool } from './interfaces/discovered-tool.interface.js';
import { NoInput } from './tool.describer.js';

/** Brings a tool that was made at run time into the form of a discovered one. */
export function readAgentTool(tool: AgentTool): DiscoveredTool {
  return {
    instance: () => tool,
    hostClass: tool.constructor as Type<object>,
    methodName: 'execute',
    // Only an identity and a carrier of metadata; it is called as a method of the instance.
    // oxlint-disable-next-line typescript/unbound-method
    handler: tool.execute,
    options: tool,
    parameters: [
      {
        kind: 'input',
        index: 0,
        designType: tool.inputSchema === undefined ? NoInput : undefined,
        pipes: [],
      },
      { kind: 'call', index: 1, designType: undefined, pipes: [] },
    ],
  };
}
