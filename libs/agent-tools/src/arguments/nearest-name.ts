import { closestMatch } from 'leven';

/** Longer names are not compared: a model can make one as long as it likes. */
const MAX_LENGTH = 64;

/** The known name that was probably meant, without regard to case, `_` and `-`; undefined if none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const plain = toPlain(name);
  const candidates = new Map([...known].map((candidate) => [toPlain(candidate), candidate]));
  const maxDistance = Math.max(1, Math.floor(plain.length / 3));
  const match = closestMatch(plain, [...candidates.keys()], { maxDistance });
  return match === undefined ? undefined : candidates.get(match);
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
