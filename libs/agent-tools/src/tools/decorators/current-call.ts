import type { ExecutionContext } from '@nestjs/common';
import { AGENT_TOOL_CONTEXT_TYPE } from '../../agent-tools.constants.js';
import { ToolCall } from '../tool-call.js';

/** The call is the fourth argument, where no accessor for a request, a response or `next` looks. */
export const TOOL_CALL_ARGUMENT = 3;

/** The call of an execution context, or undefined outside of a tool call. */
export function currentCall(context: ExecutionContext): ToolCall | undefined {
  if (context.getType<string>() !== AGENT_TOOL_CONTEXT_TYPE) return undefined;
  return context.getArgByIndex<ToolCall>(TOOL_CALL_ARGUMENT);
}
