import { checkOptionNames } from 'nestjs-agent-tools/model-kit';

/**
 * Refuses options that there are not: a test that sets nothing would pass all the same.
 *
 * @param label Who was given them, such as `exerciseAll()`.
 * @throws TypeError that names them, and what there is
 */
export function checkTestOptions(label: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(
      `The options of ${label} are an object, with ${listOf(known)}; it was given ${describe(given)}.`,
    );
  }
  checkOptionNames(
    label,
    given,
    known,
    `There ${known.length > 1 ? 'are' : 'is'}: ${listOf(known)}.`,
  );
}

/** @throws TypeError if an option is given and is no list of texts */
export function checkTexts(option: string, given: unknown): void {
  if (given === undefined) return;
  if (Array.isArray(given) && given.every((text) => typeof text === 'string')) return;
  throw new TypeError(`${option} must be a list of texts, not ${describe(given)}.`);
}

/** @throws TypeError if the path of a file is none */
export function checkFile(factory: string, file: unknown): void {
  if (typeof file === 'string' && file !== '') return;
  throw new TypeError(
    `${factory}() needs the path of a file: ${factory}('test/traffic/refund.json'); it was given ${describe(file)}.`,
  );
}

/** What a value is, in words; none of its content, which may be long. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : String(value);
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
