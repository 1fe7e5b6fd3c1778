import { holdsSecret } from './quote-safely.js';
import {
  isSecretShape,
  namedPropertyOf,
  propertyOf,
  type SchemaShape,
} from '../schemas/shape/schema-shape.js';
import { isSecretName, redactCredentials, secretNameAt } from '../utils/redact-credentials.js';
import { cutText } from '../utils/cut-text.js';

const MAX_LENGTH = 60;
const MAX_DEPTH = 3;
const HIDDEN = '***';

/** A short form of a value for the model, without what a name or a schema says is secret. */
export function shortValue(value: unknown, shape: SchemaShape | undefined): string {
  const text = JSON.stringify(withoutSecrets(value, shape, 0)) as string | undefined;
  return cutText(text ?? typeof value, MAX_LENGTH);
}

function isObjectWithSecret(text: string): boolean {
  return /^\s*[[{]/.test(text) && secretNameAt(text) >= 0;
}

function withoutSecrets(value: unknown, shape: SchemaShape | undefined, depth: number): unknown {
  if (shape && isSecretShape(shape)) return HIDDEN;
  const isFields = value !== null && typeof value === 'object' && !Array.isArray(value);
  const isGuarded = shape !== undefined && holdsSecret(shape);
  // What came instead of an object with a secret may be that secret.
  if (isGuarded && !isFields && !(Array.isArray(value) && shape.items)) return HIDDEN;
  if (typeof value === 'string') {
    return isObjectWithSecret(value) ? HIDDEN : redactCredentials(value);
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth === MAX_DEPTH) return '…';
  const shown = Object.entries(value).slice(0, MAX_LENGTH);
  const safe = shown.map(([key, item]) => {
    const inner = shape && propertyOf(shape, key);
    const isSecret = isFields && (isSecretName(key) || (isGuarded && !namedPropertyOf(shape, key)));
    return [
      redactCredentials(key),
      isSecret ? HIDDEN : withoutSecrets(item, inner, depth + 1),
    ] as const;
  });
  return isFields ? Object.fromEntries(safe) : safe.map(([, item]) => item);
}
