const BLANK = new Set([' ', '\n', '\t', '\r']);

export function isBlank(character: string): boolean {
  return BLANK.has(character);
}
