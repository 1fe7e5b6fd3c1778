import { inspect } from 'node:util';
import type { ChatRetryPolicy } from '../interfaces/chat-retry-policy.interface.js';
import { isRecord } from '../../utils/is-record.js';
import { checkOptionNames } from '../../utils/check-option-names.js';

const NUMBERS = ['maxRetries', 'delay', 'maxDelay', 'maxRetryAfter'] as const;
const NAMES: readonly string[] = [...NUMBERS, 'restart'] satisfies (keyof ChatRetryPolicy)[];

/**
 * `Number(process.env.RETRIES)` of an unset variable is no number, and would repeat a request for ever.
 *
 * @throws RangeError for a number that is of no use, TypeError for another name
 */
export function checkRetryPolicy(model: string, policy: ChatRetryPolicy): void {
  if (!isRecord(policy)) {
    throw new TypeError(`The \`retry\` of ${model} must be an object: { maxRetries: 0 } for none.`);
  }
  checkOptionNames(`The \`retry\` of ${model}`, policy, NAMES);
  for (const key of NUMBERS) {
    const value = policy[key];
    // An endless wait is none that chance could shorten.
    const isEndless = value === Infinity && (key === 'delay' || key === 'maxDelay');
    // False for NaN, too.
    if (value === undefined || (typeof value === 'number' && value >= 0 && !isEndless)) continue;
    throw new RangeError(
      `The retries of ${model} have \`${key}: ${inspect(value)}\`. Give a number from 0, or leave it out.`,
    );
  }
}
