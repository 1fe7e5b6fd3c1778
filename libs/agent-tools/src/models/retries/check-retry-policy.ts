import type { ChatRetryPolicy } from '../interfaces/chat-retry-policy.interface.js';

/**
 * `Number(process.env.RETRIES)` of an unset variable is no number, and would repeat a request for ever.
 *
 * @throws RangeError
 */
export function checkRetryPolicy(model: string, policy: ChatRetryPolicy): void {
  for (const key of ['maxRetries', 'delay', 'maxDelay', 'maxRetryAfter'] as const) {
    const value = policy[key];
    // An endless wait is none that chance could shorten.
    const isEndless = value === Infinity && (key === 'delay' || key === 'maxDelay');
    // False for NaN, too.
    if (value === undefined || (typeof value === 'number' && value >= 0 && !isEndless)) continue;
    throw new RangeError(
      `The retries of ${model} have \`${key}: ${value}\`. Give a number from 0, or leave it out.`,
    );
  }
}
