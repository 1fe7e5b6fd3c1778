import { LooseJsonException } from '../json/loose-json.exception.js';
import { lexValue, type LexedValue } from '../json/loose-json.lexer.js';
import { isDoubtfulAfter, isDoubtfulBefore } from './surroundings.js';

const ONLY_CLOSERS = /^[\s}\]]*$/;

/**
 * Finds the one object of a text and cuts off the prose around it. With a second object, or with
 * more arguments around it, nobody can say what was meant.
 *
 * @param names of the arguments of the tool
 * @throws LooseJsonException
 */
export function cutObject(
  text: string,
  names: readonly string[] | undefined,
  repairs: Set<string>,
): LexedValue {
  const start = text.indexOf('{');
  if (start < 0) throw new LooseJsonException('there is no JSON object in it');
  const object = lexValue(text, start);
  const before = text.slice(0, start);
  const after = text.slice(object.end);
  const isAlone = before.trim() === '' && ONLY_CLOSERS.test(after);
  if (!isAlone && (isDoubtfulBefore(before, names) || isDoubtfulAfter(after, names))) {
    throw new LooseJsonException('there is more than one JSON object in it, or a part of one');
  }
  // Braces in prose are no call.
  if (!isAlone && object.tokens.length <= 2) {
    throw new LooseJsonException('the object in it is empty');
  }
  if (!isAlone) repairs.add('dropped text around the object');
  else if (after.trim() !== '') repairs.add('dropped brackets');
  for (const repair of object.repairs) repairs.add(repair);
  return object;
}
