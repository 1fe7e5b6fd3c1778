import type { JsonSchema } from '../../interfaces/json-schema.interface.js';

const LOWER_LIMITS = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
]);
const UPPER_LIMITS = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']);

/**
 * Adds the keywords of one more rule, so that all hold: of two limits the narrower one stays.
 *
 * @returns undefined if one of them is there already and the two cannot be said together
 */
export function addKeywords(known: JsonSchema, added: JsonSchema): JsonSchema | undefined {
  const merged: Record<string, unknown> = { ...known };
  for (const key in added) {
    const value = added[key];
    const present = merged[key];
    if (present === undefined) merged[key] = value;
    else if (LOWER_LIMITS.has(key)) merged[key] = Math.max(present as number, value as number);
    else if (UPPER_LIMITS.has(key)) merged[key] = Math.min(present as number, value as number);
    else if (key === 'enum') {
      merged[key] = (present as unknown[]).filter((item) => (value as unknown[]).includes(item));
    } else if (JSON.stringify(present) !== JSON.stringify(value)) return undefined;
  }
  return merged;
}
