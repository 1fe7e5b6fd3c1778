import { closest, distance } from 'fastest-levenshtein';

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
 * @param remedy What to do about a name that nobody knows. @default the names that there are
 * @throws TypeError that names them, and what may have been meant
 * @publicApi
 */
export function checkOptionNames(
  label: string,
  given: object,
  known: readonly string[],
  remedy?: string,
): void {
  const values = given as Readonly<Record<string, unknown>>;
  // Each run has options, so nothing is made if all is well.
  for (const name in values) {
    if (known.includes(name) || values[name] === undefined) continue;
    throw new TypeError(
      `${label} has no option ${describeUnknown(values, known)}. ` +
        (remedy ?? `There are: ${known.join(', ')}.`),
    );
  }
}

function describeUnknown(
  values: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string {
  return Object.keys(values)
    .filter((name) => !known.includes(name) && values[name] !== undefined)
    .map((name) => `\`${name}\`${suggest(name, known)}`)
    .join(', ');
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
