import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import { UNDESCRIBABLE } from '../../undescribable.js';

const DATES = new Set(['date', 'Date']);

/**
 * What stands for a type that JSON does not know. A tool may return one, though: the model reads the
 * JSON of it, which for a date is a string.
 */
export function foreignType(name: string, side: SchemaSide): JsonSchema {
  if (side === 'input') return { [UNDESCRIBABLE]: name };
  return DATES.has(name) ? { type: 'string', format: 'date-time' } : {};
}
