/** Lower case, digits, upper case and signs by turns, so that a few neighbours have some of each. */
const ALPHABET = [
  ...interleave([
    'abcdefghijklmnopqrstuvwxyz',
    '1234567890',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    `-_.:/@#!$%&*+,;=?^~|()[]{}<>"'\\\``,
  ]),
  ...Array.from(' \t\n\réÄßжЖ中あא€😀'),
];

/** The characters, of some usual ones and of those that it names, which a class such as `[a-f]` has. */
export function charactersOf(source: string): string[] {
  const test = toTest(source);
  const named = [...namedIn(source)];
  return [...new Set([...ALPHABET, ...named])].filter((character) => test.test(character));
}

function toTest(source: string): RegExp {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return new RegExp(`^(?:${source})$`);
  }
}

function* namedIn(source: string): Generator<string> {
  for (const [, code] of source.matchAll(/\\[ux]\{?([\da-f]{2,6})\}?/gi)) {
    const point = Number.parseInt(code, 16);
    if (point <= 0x10ffff) yield String.fromCodePoint(point);
  }
  yield* source;
}

function interleave(texts: readonly string[]): string[] {
  const length = Math.max(...texts.map((text) => text.length));
  return Array.from({ length }, (_, index) => texts.map((text) => text.charAt(index)))
    .flat()
    .filter((character) => character !== '');
}
