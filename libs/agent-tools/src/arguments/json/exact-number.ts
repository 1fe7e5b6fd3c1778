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

/** Cheap enough to ask of every text: a number is inexact only if it is long or has a long exponent. */
export const MAY_BE_INEXACT = /[\d.]{16}|\d[eE][-+]?\d{3}/;

const DECIMAL = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** From here on, JavaScript itself writes an exponent. */
const PRINTED_WITH_EXPONENT = 1e21;

/**
 * Whether a number of JSON is held as another one: rounded to an integer that was not written, or to
 * nothing, or too large. (That 0.1 has no exact binary form is nobody's surprise.)
 */
export function isInexact(json: string): boolean {
  const value = Number(json);
  if (!Number.isFinite(value)) return true;
  if (!Number.isInteger(value)) return false;
  const [, whole = '', fraction = '', exponent] = DECIMAL.exec(json) ?? [];
  // Who writes a number with an exponent means about that number.
  if (exponent !== undefined && Math.abs(value) >= PRINTED_WITH_EXPONENT) return false;
  const digits = whole + fraction;
  if (/^0*$/.test(digits)) return false;
  if (value === 0) return true;
  const scale = Number(exponent ?? 0) - fraction.length;
  const written = scale >= 0 ? digits + '0'.repeat(scale) : digits.slice(0, scale);
  const rest = scale >= 0 ? '' : digits.padStart(-scale, '0').slice(scale);
  return /[1-9]/.test(rest) || BigInt(written || '0') !== BigInt(Math.abs(value));
}
