import { inspect } from 'node:util';
import { isRecord } from '../../utils/is-record.js';
import { ChatModelException } from '../exceptions/chat-model.exception.js';
import type { ChatTimeouts } from '../interfaces/chat-timeouts.interface.js';
import { checkOptionNames } from '../../utils/check-option-names.js';

const NAMES = [
  'connect',
  'firstChunk',
  'betweenChunks',
  'request',
] as const satisfies readonly (keyof ChatTimeouts)[];

/**
 * `Number(process.env.TIMEOUT)` of an unset variable is no number, and a limit that nobody knows limits
 * nothing: either way a model could take for ever.
 *
 * @param label Which model, for the exception.
 * @param lacking Limits that the model cannot keep, each with why, and what to do in place of it.
 * @throws RangeError for what is no number of milliseconds, TypeError for another name,
 * ChatModelException for a limit that is lacking
 * @publicApi
 */
export function checkTimeouts(
  label: string,
  timeouts: ChatTimeouts | undefined,
  lacking: Readonly<Partial<Record<keyof ChatTimeouts, string>>> = {},
): void {
  if (timeouts === undefined) return;
  const place = `The \`timeouts\` of ${label}`;
  if (!isRecord(timeouts)) {
    throw new TypeError(`${place} must be an object of milliseconds: { request: 60_000 }.`);
  }
  checkOptionNames(place, timeouts, NAMES);
  for (const name of NAMES) {
    const value: unknown = timeouts[name];
    if (value === undefined) continue;
    const reason = lacking[name];
    if (reason)
      throw new ChatModelException(`${label} cannot have \`timeouts.${name}\`: ${reason}`);
    // False for NaN, too.
    if (typeof value === 'number' && value >= 0) continue;
    throw new RangeError(
      `${place} have \`${name}: ${inspect(value)}\`. Give milliseconds, 0 for no limit, or leave it out.`,
    );
  }
}
