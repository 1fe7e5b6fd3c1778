import { isSecretName } from '../utils/redact-credentials.js';
import { cutText } from '../utils/short-text.js';
import type { SchemaShape } from '../schemas/shape/schema-shape.js';

const MAX_LENGTH = 60;
const MAX_DEPTH = 3;
const HIDDEN = '***';

/** A short form of a value for the model, without what a name or a schema says is secret. */
export function shortValue(value: unknown, shape: SchemaShape | undefined): string {
  const text = JSON.stringify(withoutSecrets(value, shape, 0)) as string | undefined;
  return cutText(text ?? typeof value, MAX_LENGTH);
}

function withoutSecrets(value: unknown, shape: SchemaShape | undefined, depth: number): unknown {
  if (shape?.isSecret) return HIDDEN;
  if (value === null || typeof value !== 'object') return value;
  if (depth === MAX_DEPTH) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_LENGTH);
    return shown.map((item) => withoutSecrets(item, shape?.items, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_LENGTH)
      .map(([key, item]) => [
        key,
        isSecretName(key) ? HIDDEN : withoutSecrets(item, shape?.properties?.get(key), depth + 1),
      ]),
  );
}
