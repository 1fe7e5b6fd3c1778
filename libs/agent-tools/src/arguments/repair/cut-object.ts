import { LooseJsonException } from '../json/loose-json.exception.js';
import { lexValue, type LexedValue } from '../json/loose-json.lexer.js';

/** What an object in the middle of more JSON is preceded by. */
const FRAGMENT_BEFORE = /["'”’]\s*:|(?:^|[^A-Za-z])\s*,\s*$|["'”’[\]}]\s*$|^\s*\[/;
/** What follows an object that is not the last of its kind, or not an object of its own. */
const FRAGMENT_AFTER = /^\s*[,:"'“‘]|[{}[\]]|["'”’]\s*:/;
const ONLY_CLOSERS = /^[\s}\]]*$/;

/**
 * Finds the one object of a text and cuts off the prose around it. With a second object, or with
 * more JSON around it, nobody can say what was meant.
 *
 * @throws LooseJsonException
 */
export function cutObject(text: string, repairs: Set<string>): LexedValue {
  const start = text.indexOf('{');
  if (start < 0) throw new LooseJsonException('there is no JSON object in it');
  const object = lexValue(text, start);
  const before = text.slice(0, start);
  const after = text.slice(object.end);
  const isSurplus = ONLY_CLOSERS.test(after);
  if (FRAGMENT_BEFORE.test(before) || (!isSurplus && FRAGMENT_AFTER.test(after))) {
    throw new LooseJsonException('there is more than one JSON object in it, or a part of one');
  }
  if (before.trim() !== '') repairs.add('dropped text around the object');
  else if (after.trim() !== '') {
    repairs.add(isSurplus ? 'dropped brackets' : 'dropped text around the object');
  }
  for (const repair of object.repairs) repairs.add(repair);
  return object;
}
