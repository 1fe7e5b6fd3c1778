import { MAX_TOOL_TIMEOUT } from '../agent-tools.constants.js';

/**
 * @param owner whose timeout it is, for the error
 * @throws RangeError unless it is from 1 to 3,600,000 milliseconds; NaN would be no limit at all
 */
export function checkTimeout(timeout: number | undefined, owner: string): void {
  if (timeout === undefined || (timeout >= 1 && timeout <= MAX_TOOL_TIMEOUT)) return;
  throw new RangeError(
    `${owner} has the timeout ${timeout}. Give milliseconds from 1 to ${MAX_TOOL_TIMEOUT}, or leave it out.`,
  );
}
