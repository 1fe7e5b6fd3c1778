import { ForbiddenException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import type { CallTrace } from '../interfaces/call-trace.interface.js';

/** The message with which Nest itself refuses a request. */
const FORBIDDEN_MESSAGE = 'Forbidden resource';

/**
 * Asks the guards one after the other, as Nest does. The name of the one that said no or threw is
 * left in the trace, for the log.
 *
 * @returns a promise only if a guard is asynchronous
 * @throws ForbiddenException if one says no, or what a guard throws
 */
export function runGuards(
  guards: readonly CanActivate[],
  context: ExecutionContext,
  trace: CallTrace,
  from = 0,
): void | Promise<void> {
  for (let index = from; index < guards.length; index++) {
    const guard = guards[index];
    trace.guard = guard;
    const answer: unknown = guard.canActivate(context);
    // Anything else is waited for, as in Nest: there are functions with a `then`, too.
    if (typeof answer !== 'boolean' && answer !== undefined && answer !== null) {
      return settle(answer).then((allowed) => {
        refuseUnless(allowed);
        return runGuards(guards, context, trace, index + 1);
      });
    }
    refuseUnless(answer);
  }
  trace.guard = undefined;
}

async function settle(answer: unknown): Promise<unknown> {
  const value = await answer;
  return isObservable(value) ? lastValueFrom(value) : value;
}

function refuseUnless(allowed: unknown): void {
  if (!allowed) throw new ForbiddenException(FORBIDDEN_MESSAGE);
}
