/**
 * A number of JSON text that JavaScript cannot hold: an integer that would be rounded, or one beyond
 * all bounds. It keeps its digits until the schema says what they are.
 */
export class ExactNumber {
  constructor(readonly digits: string) {}

  /** So that what holds one can still be written as JSON. */
  toJSON(): string {
    return this.digits;
  }
}

/** Cheap enough to ask of every text: no number with less than 16 digits in a row is rounded. */
export const MAY_BE_INEXACT = /\d{16}|\d[eE]\+?\d{3}/;

const INTEGER = /^-?\d+$/;

export function isInexact(json: string): boolean {
  const value = Number(json);
  if (!Number.isFinite(value)) return true;
  return INTEGER.test(json) && !Number.isSafeInteger(value) && BigInt(json) !== BigInt(value);
}
