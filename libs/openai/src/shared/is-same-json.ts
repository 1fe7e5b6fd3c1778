import { isDeepStrictEqual } from 'node:util';

/** Whether two texts say the same, in whatever order and with whatever blanks. */
export function isSameJson(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}
