import { fieldsOf, isEmpty, type Fields } from '../values.js';

/** Fields that each piece repeats, in place of going on with them. */
const REPEATED = new Set(['id', 'name', 'type', 'phase', 'model_provider', 'output_version']);

/** Puts the fields of two pieces of one block together: texts and lists go on, the rest is replaced. */
export function mergeFields(one: Fields, other: Fields): Fields {
  if (isEmpty(other)) return one;
  const merged: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    if (value === undefined || value === null) continue;
    merged[name] = REPEATED.has(name) ? value : mergeValues(merged[name], value);
  }
  return merged;
}

function mergeValues(one: unknown, other: unknown): unknown {
  if (typeof one === 'string' && typeof other === 'string') return one + other;
  if (Array.isArray(one) && Array.isArray(other))
    return [...(one as unknown[]), ...(other as unknown[])];
  if (isEmpty(one) || typeof other !== 'object') return other;
  return mergeFields(fieldsOf(one), fieldsOf(other));
}
