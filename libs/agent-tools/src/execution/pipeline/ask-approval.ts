import { inspect } from 'node:util';
import type { ExecutionContext } from '@nestjs/common';
import type { ToolApproval } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { ToolNotApprovedException } from '../exceptions/tool-not-approved.exception.js';

/** Everything of a value, to see whether it was changed. */
const WHOLE = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity } as const;

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
  const asked = call.input;
  const before = inspect(asked, WHOLE);
  const answer: unknown = approve(call, context);
  const settle = (settled: unknown) => {
    // Not what is merely truthy: an object that says no would be a yes.
    if (settled !== true) throw new ToolNotApprovedException(call.name);
    refuseChanged(call, asked, before);
  };
  return isThenable(answer) ? toPromise(answer).then(settle) : settle(answer);
}

/** A change in place would pass by the validation, which may have been a conversion as well. */
function refuseChanged({ name, input }: ToolCall, asked: unknown, before: string): void {
  if (input !== asked || inspect(input, WHOLE) === before) return;
  throw new Error(
    `\`approve\` changed the validated input of "${name}" in place. To run the call with another input, ` +
      'assign one to `call.input`, as the model would send it: it is validated again.',
  );
}
