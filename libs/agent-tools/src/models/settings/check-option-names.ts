import { closest, distance } from 'fastest-levenshtein';
import type { ChatSettings } from '../interfaces/chat-settings.interface.js';

/**
 * The names of all settings.
 *
 * @publicApi
 */
export const SETTING_NAMES = [
  'temperature',
  'topP',
  'maxTokens',
  'stop',
  'seed',
  'parallelToolCalls',
  'reasoningEffort',
  'reasoningBudget',
  'responseFormat',
  'headers',
  'body',
  'baseURL',
  'apiKey',
] as const satisfies readonly (keyof ChatSettings)[];

/** What other libraries call them, as far as the spelling does not tell. */
const ALIASES = new Map([
  ['maxoutputtokens', 'maxTokens'],
  ['maxcompletiontokens', 'maxTokens'],
  ['stopsequences', 'stop'],
  ['timeout', 'timeouts'],
  ['maxretries', 'retry'],
  ['modelname', 'model'],
  ['url', 'baseURL'],
]);
const MAX_DISTANCE = 2;

/**
 * Refuses options that there are not. A compiler sees a wrong name only where it is written, not in what
 * a configuration gives; and with a `baseUrl` that nobody reads, a key goes to another server.
 *
 * @param label Who was given them, for the exception.
 * @param remedy What to do about a name that nobody knows. @default to give it as `body`
 * @throws TypeError that names them, and what may have been meant
 * @publicApi
 */
export function checkOptionNames(
  label: string,
  given: object,
  known: readonly string[] = SETTING_NAMES,
  remedy = 'What only its provider knows belongs into `body`.',
): void {
  const unknown = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !known.includes(name))
    .map(([name]) => `\`${name}\`${suggest(name, known)}`);
  if (unknown.length === 0) return;
  throw new TypeError(`${label} has no option ${unknown.join(', ')}. ${remedy}`);
}

function suggest(name: string, known: readonly string[]): string {
  const plain = toPlain(name);
  const meant =
    ALIASES.get(plain) ?? known.find((one) => toPlain(one) === plain) ?? closest(name, known);
  const isLikely =
    known.includes(meant) &&
    (ALIASES.has(plain) || distance(plain, toPlain(meant)) <= MAX_DISTANCE);
  return isLikely ? ` (did you mean \`${meant}\`?)` : '';
}

function toPlain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
