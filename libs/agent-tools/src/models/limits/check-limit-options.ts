import { inspect } from 'node:util';
import { checkOptionNames } from '../../utils/check-option-names.js';
import { isRecord } from '../../utils/is-record.js';
import type { LimitOptions } from './interfaces/limit-options.interface.js';

const KEYS = ['concurrency', 'requestsPerMinute', 'tokensPerMinute'] as const;

/**
 * A limit that is no number is never reached: `Number(process.env.LIMIT)` of an unset variable would
 * be no limit at all.
 *
 * @throws RangeError for a number that is of no use, TypeError for another option
 */
export function checkLimitOptions(options: LimitOptions): void {
  if (!isRecord(options)) {
    throw new TypeError(
      'limit() needs an object: withMiddleware(model, limit({ concurrency: 4 })).',
    );
  }
  checkOptionNames('limit()', options, KEYS);
  for (const key of KEYS) {
    const value: unknown = options[key];
    if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1)) continue;
    throw new RangeError(
      `limit() was given \`${key}: ${inspect(value)}\`. Give a whole number from 1, or leave it out.`,
    );
  }
  if (KEYS.some((key) => options[key] !== undefined)) return;
  throw new RangeError(`limit() was given no limit. Give one of ${KEYS.join(', ')}.`);
}
