import { inspect } from 'node:util';
import type { ExecutionContext } from '@nestjs/common';
import type { ToolApproval } from '../../tools/interfaces/tool-policy.interface.js';
import type { ToolCall } from '../../tools/tool-call.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { ToolNotApprovedException } from '../exceptions/tool-not-approved.exception.js';

/** Everything of a value, to see whether it was changed. */
export function wholeOf(value: unknown): string {
  return inspect(value, { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity });
}

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
    ? toPromise(answer).then((settled) => refuseUnless(settled, call))
    : refuseUnless(answer, call);
}

/**
 * A change in place would pass by the validation, which may have been a conversion as well.
 *
 * @param before what the input was, by `wholeOf()`
 * @throws Error if it is another one now
 */
export function refuseChanged({ name, input }: ToolCall, before: string): void {
  if (wholeOf(input) === before) return;
  throw new Error(
    `The validated input of "${name}" was changed in place while its approval was asked. To run the call ` +
      'with another input, assign one to `call.input`, as the model would send it: it is validated again.',
  );
}

/** Not what is merely truthy: an object that says no would be a yes. */
function refuseUnless(answer: unknown, { name }: ToolCall): void {
  if (answer !== true) throw new ToolNotApprovedException(name);
}
