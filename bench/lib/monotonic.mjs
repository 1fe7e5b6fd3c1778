const DIGITS = 16;

/** Microseconds of a clock that all processes of the machine share, as text of one length. */
export function now() {
  return String(process.hrtime.bigint() / 1_000n).padStart(DIGITS, '0');
}

/** Microseconds since each of the times that a text is made of. */
export function delaysOf(text) {
  const end = Number(now());
  const delays = [];
  for (let index = 0; index < text.length; index += DIGITS) {
    delays.push(end - Number(text.slice(index, index + DIGITS)));
  }
  return delays;
}

export const lengthOf = (count) => count * DIGITS;
