import type { AgentLimits } from './interfaces/agent-limits.interface.js';

/**
 * A limit that is no number is never reached: `Number(process.env.STEPS)` of an unset variable would
 * make an agent without a limit.
 *
 * @param owner whose limits they are, for the error
 * @throws RangeError
 */
export function checkLimits(owner: string, limits: AgentLimits | undefined): void {
  for (const key of ['steps', 'toolCalls', 'failedSteps', 'unknownTools', 'timeout'] as const) {
    const value = limits?.[key];
    const least = key === 'timeout' || key === 'failedSteps' ? 1 : 0;
    // False for NaN, too.
    if (value === undefined || (typeof value === 'number' && value >= least)) continue;
    throw new RangeError(
      `${owner} has the limit \`${key}: ${value}\`. Give a number from ${least}, or leave it out.`,
    );
  }
}
