import { inspect } from 'node:util';
import { checkOptionNames } from '../utils/check-option-names.js';
import type { AgentLimits } from './interfaces/agent-limits.interface.js';

export const LIMITS = [
  'steps',
  'toolCalls',
  'failedSteps',
  'unknownTools',
  'timeout',
] as const satisfies (keyof AgentLimits)[];

/**
 * A limit that is no number is never reached: `Number(process.env.STEPS)` of an unset variable would
 * make an agent without a limit.
 *
 * @param owner whose limits they are, for the error
 * @throws RangeError for a number that is of no use, TypeError for a limit that there is not
 */
export function checkLimits(owner: string, limits: AgentLimits | undefined): void {
  if (!limits) return;
  checkOptionNames(`The \`limits\` of ${owner}`, limits, LIMITS);
  checkRanges(owner, limits);
}

/** @throws RangeError */
export function checkRanges(owner: string, limits: AgentLimits): void {
  for (const key of LIMITS) {
    const value = limits[key];
    const least = key === 'timeout' || key === 'failedSteps' ? 1 : 0;
    // False for NaN, too.
    if (value === undefined || (typeof value === 'number' && value >= least)) continue;
    throw new RangeError(
      `${owner} has the limit \`${key}: ${inspect(value)}\`. Give a number from ${least}, or leave it out.`,
    );
  }
}
