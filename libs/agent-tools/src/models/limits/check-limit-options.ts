import type { LimitOptions } from './interfaces/limit-options.interface.js';

const KEYS = ['concurrency', 'requestsPerMinute', 'tokensPerMinute'] as const;

/**
 * A limit that is no number is never reached: `Number(process.env.LIMIT)` of an unset variable would
 * be no limit at all.
 *
 * @throws RangeError
 */
export function checkLimitOptions(options: LimitOptions): void {
  for (const key of KEYS) {
    const value = options[key];
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) continue;
    throw new RangeError(
      `limit() was given \`${key}: ${value}\`. Give a whole number from 1, or leave it out.`,
    );
  }
  if (KEYS.some((key) => options[key] !== undefined)) return;
  throw new RangeError(`limit() was given no limit. Give one of ${KEYS.join(', ')}.`);
}
