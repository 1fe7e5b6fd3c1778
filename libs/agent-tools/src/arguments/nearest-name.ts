import { distance } from 'fastest-levenshtein';

/** Longer names are not compared: a model can make one as long as it likes. */
const MAX_LENGTH = 64;

/** The known name that was probably meant, without regard to case, `_` and `-`; undefined if none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const plain = toPlain(name);
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(plain.length / 3)) + 1;
  for (const candidate of known) {
    if (candidate.length > MAX_LENGTH) continue;
    const steps = distance(plain, toPlain(candidate));
    if (steps < least) [nearest, least] = [candidate, steps];
  }
  return nearest;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
