import type { ExecutionContext } from '@nestjs/common';
import type { ToolApproval } from '../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../tools/tool-call.js';
import { isThenable } from '../utils/is-thenable.js';
import { ToolNotApprovedException } from './tool-not-approved.exception.js';

/**
 * Asks whether a call may run. Returns a promise only if the answer is one.
 *
 * @throws ToolNotApprovedException, or what `approve` throws
 */
export function askApproval(
  approve: ToolApproval,
  call: ToolCall,
  context: ExecutionContext,
): void | Promise<void> {
  const answer: unknown = approve(call, context);
  return isThenable(answer)
    ? answer.then((settled) => refuseUnless(settled, call))
    : refuseUnless(answer, call);
}

/** Not what is merely truthy: an object that says no would be a yes. */
function refuseUnless(answer: unknown, { name }: ToolCall): void {
  if (answer !== true) throw new ToolNotApprovedException(name);
}
