import { isSecretShape, type SchemaShape } from '../schemas/shape/schema-shape.js';
import { redactCredentials, secretNameAt } from '../utils/redact-credentials.js';
import { cutText } from '../utils/cut-text.js';

const QUOTED_LENGTH = 200;

/**
 * The beginning of what a model sent, for an error that may be shown to others: cut before the first
 * name that says that a secret follows, because nobody knows where a value in broken text ends.
 *
 * @param shape of the input, which may say of other names that they are secret
 */
export function quoteSafely(text: string, shape?: SchemaShape): string {
  const ends = [...secretNames(shape)].map((name) => placeOf(name, text));
  // A name may be written in escapes.
  const found = [...ends, secretNameAt(text), text.indexOf('\\u00')].filter((at) => at >= 0);
  const end = Math.min(...found, text.length);
  const shown = redactCredentials(text.slice(0, end));
  return cutText(end < text.length ? `${shown}…` : shown, QUOTED_LENGTH);
}

/** Without regard to case; a lower-case copy of the text may have other places. */
function placeOf(name: string, text: string): number {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(new RegExp(escaped, 'iu'));
}

/** Whether a part of a value is secret by its schema. */
export function holdsSecret(shape: SchemaShape): boolean {
  return isSecretShape(shape) || secretNames(shape).size > 0;
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
