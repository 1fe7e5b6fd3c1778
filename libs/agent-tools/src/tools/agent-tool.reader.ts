import type { Type } from '@nestjs/common';
import type { AgentTool } from './interfaces/agent-tool.interface.js';
import type { DiscoveredTool, ProviderWrapper } from './interfaces/discovered-tool.interface.js';
import { ToolMetadataAccessor } from './tool-metadata.accessor.js';
import { NoInput } from './tool.describer.js';

const accessor = new ToolMetadataAccessor();

/**
 * Parameter decorators on `execute` would be ignored, and their pipes with them.
 *
 * @throws Error whose message is a problem
 */
export function refuseParameterDecorators({ hostClass, methodName }: DiscoveredTool): void {
  if (accessor.getParameterEntries(hostClass, methodName).length === 0) return;
  throw new Error(
    'A tool object takes no parameter decorators: `execute` gets the input and ' +
      'the call. Check the input with its `inputSchema`.',
  );
}

/**
 * Brings a tool object into the form of a discovered one.
 *
 * @param wrapper of the provider, if it is one
 */
export function readAgentTool(tool: AgentTool, wrapper?: ProviderWrapper): DiscoveredTool {
  const hostClass = tool.constructor as Type<object>;
  return {
    ...(wrapper && { wrapper }),
    instance: wrapper ? () => wrapper.instance as object : () => tool,
    hostClass,
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
