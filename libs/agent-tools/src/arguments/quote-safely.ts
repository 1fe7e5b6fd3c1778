import { isSecretShape, type SchemaShape } from '../schemas/shape/schema-shape.js';
import { redactCredentials, secretNameAt } from '../utils/redact-credentials.js';
import { cutText } from '../utils/short-text.js';

const QUOTED_LENGTH = 200;

/**
 * The beginning of what a model sent, for an error that may be shown to others: cut before the first
 * name that says that a secret follows, because nobody knows where a value in broken text ends.
 *
 * @param shape of the input, which may say of other names that they are secret
 */
export function quoteSafely(text: string, shape?: SchemaShape): string {
  const ends = [...secretNames(shape)].map((name) => text.indexOf(name));
  const end = Math.min(...[...ends, secretNameAt(text)].filter((at) => at >= 0), text.length);
  const shown = redactCredentials(text.slice(0, end));
  return cutText(end < text.length ? `${shown}…` : shown, QUOTED_LENGTH);
}

function secretNames(shape: SchemaShape | undefined, seen = new Set<SchemaShape>()): Set<string> {
  const names = new Set<string>();
  if (!shape || seen.has(shape)) return names;
  seen.add(shape);
  for (const [name, property] of shape.properties ?? []) {
    if (isSecretShape(property)) names.add(name);
    for (const inner of secretNames(property, seen)) names.add(inner);
  }
  const parts = [...(shape.all ?? []), ...(shape.branches ?? []), shape.items, shape.additional];
  for (const part of parts) for (const name of secretNames(part, seen)) names.add(name);
  return names;
}
