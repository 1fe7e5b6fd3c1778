import { MAX_TOOL_TIMEOUT } from '../agent-tools.constants.js';
import type { ToolConcurrency, ToolPolicy } from './interfaces/tool-policy.interface.js';

const MAX_RETRIES = 10;

/**
 * @param owner whose policy it is, for the error
 * @throws RangeError for what is not a number or is out of its range: NaN would be no limit at all
 */
export function checkPolicy(policy: ToolPolicy | undefined, owner: string): void {
  if (!policy) return;
  const { timeout, retry, maxResultLength, maxCorrections } = policy;
  check(owner, 'timeout', timeout, 1, MAX_TOOL_TIMEOUT);
  checkWhole(owner, 'maxResultLength', maxResultLength, 1);
  checkWhole(owner, 'maxCorrections', maxCorrections, 0);
  if (typeof retry !== 'object') {
    checkWhole(owner, 'retry', retry, 0, MAX_RETRIES);
    return;
  }
  checkWhole(owner, 'retry.times', retry.times, 0, MAX_RETRIES);
  check(owner, 'retry.delay', retry.delay, 0, MAX_TOOL_TIMEOUT);
  check(owner, 'retry.maxDelay', retry.maxDelay, 0, MAX_TOOL_TIMEOUT);
}

/**
 * @throws RangeError
 */
export function checkConcurrency(
  concurrency: ToolConcurrency | undefined,
  owner: string,
  option = 'concurrency',
): void {
  if (typeof concurrency !== 'object') {
    checkWhole(owner, option, concurrency, 1);
    return;
  }
  checkWhole(owner, `${option}.limit`, concurrency.limit, 1);
  checkWhole(owner, `${option}.queue`, concurrency.queue, 0);
}

function checkWhole(
  owner: string,
  option: string,
  value: number | undefined,
  least: number,
  most = Infinity,
): void {
  const isWhole = value === undefined || value === Infinity || Number.isInteger(value);
  check(owner, option, isWhole ? value : NaN, least, most, value);
}

function check(
  owner: string,
  option: string,
  value: number | undefined,
  least: number,
  most = Infinity,
  given: unknown = value,
): void {
  // The configuration of an application gives texts. False for NaN, too.
  const isNumber = typeof value === 'number';
  if (value === undefined || (isNumber && value >= least && value <= most)) return;
  const unit = /timeout|delay/i.test(option) ? 'milliseconds ' : '';
  const range = most === Infinity ? `${least} or more` : `${unit}from ${least} to ${most}`;
  const shown = typeof given === 'string' ? `'${given}'` : String(given);
  throw new RangeError(`${owner} has \`${option}: ${shown}\`. Give ${range}, or leave it out.`);
}
