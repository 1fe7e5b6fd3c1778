/** Shorter values are not secret, and would tear holes into ordinary words. */
const MIN_LENGTH = 6;
/** Of a longer one the rest is whatever follows: a pattern for all of it would be very large. */
const MAX_LENGTH = 256;
const REST = `[^\\s"'<>]{0,8000}`;

const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/**
 * Finds secrets in each form in which a server may repeat them: as they are, in a JSON text, in one within
 * another, in an address, a form or a page, in Base64. The longest comes first, as one may be a part of
 * another; those of fewer than 6 characters are left out.
 *
 * @publicApi
 */
export function secretPatterns(values: Iterable<string>): RegExp[] {
  const secrets = [...new Set(values)].filter((value) => value.length >= MIN_LENGTH);
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => new RegExp(`${toPattern(secret)}|${toBase64(secret)}`, 'g'));
}

function toPattern(secret: string): string {
  const characters = Array.from(secret.slice(0, MAX_LENGTH), characterPattern).join('');
  return secret.length > MAX_LENGTH ? characters + REST : characters;
}

/** Any library escapes other characters, and some all. */
function characterPattern(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = HTML_NAMES.get(character);
  const forms = [
    `\\\\{0,4}${literal(character)}`,
    character
      .split('')
      .map((unit) => `\\\\{1,4}u${hexadecimal(unit.charCodeAt(0), 4)}`)
      .join(''),
    [...Buffer.from(character)].map((byte) => `%${hexadecimal(byte, 2)}`).join(''),
    `&#(?:0{0,4}${code}|[xX]0{0,4}${hexadecimal(code, 1)});`,
    ...(name ? [`&${name};`] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${forms.join('|')})`;
}

function toBase64(secret: string): string {
  return literal(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
}

/** In capital or small letters. */
function hexadecimal(value: number, length: number): string {
  return value
    .toString(16)
    .padStart(length, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
