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
    handler: handlerOf(tool),
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

/**
 * Only an identity and a carrier of metadata; it is called as a method of the instance. What decorators
 * say on the `execute` of a class holds also if an override or a field of the instance replaces it.
 *
 * @throws Error whose message is a problem
 */
function handlerOf(tool: AgentTool): DiscoveredTool['handler'] {
  const decorated: object[] = [];
  let one: object | null = tool;
  while (one && one !== Object.prototype) {
    const execute: unknown = Object.getOwnPropertyDescriptor(one, 'execute')?.value;
    if (typeof execute === 'function' && accessor.getDecoratorKeys(execute).length > 0) {
      decorated.push(execute);
    }
    one = Object.getPrototypeOf(one) as object | null;
  }
  // oxlint-disable-next-line typescript/unbound-method
  const [handler = tool.execute, ...overridden] = decorated;
  const lost = overridden.flatMap((execute) =>
    accessor.getDecoratorKeys(execute).filter((key) => !accessor.hasMetadata(key, handler)),
  );
  if (lost.length === 0) return handler as DiscoveredTool['handler'];
  throw new Error(
    'The override of `execute` has decorators of its own, and would run without some of the class that it ' +
      `extends (${lost.map(String).join(', ')}). Repeat them on the override.`,
  );
}
