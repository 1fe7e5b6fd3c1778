import { ForbiddenException, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import { isThenable } from '../utils/is-thenable.js';

/** The message with which Nest itself refuses a request. */
const FORBIDDEN_MESSAGE = 'Forbidden resource';

/**
 * Asks the guards one after the other, as Nest does.
 *
 * @param onRefusal told the name of the guard that said no or threw, for the log
 * @throws ForbiddenException if one says no, or what a guard throws
 */
export async function runGuards(
  guards: readonly CanActivate[],
  context: ExecutionContext,
  onRefusal: (guardName: string) => void,
): Promise<void> {
  for (const guard of guards) {
    let allowed: unknown;
    try {
      allowed = guard.canActivate(context);
      if (isThenable(allowed)) allowed = await allowed;
      if (isObservable(allowed)) allowed = await lastValueFrom(allowed);
    } catch (error) {
      onRefusal(guard.constructor.name);
      throw error;
    }
    if (!allowed) {
      onRefusal(guard.constructor.name);
      throw new ForbiddenException(FORBIDDEN_MESSAGE);
    }
  }
}
