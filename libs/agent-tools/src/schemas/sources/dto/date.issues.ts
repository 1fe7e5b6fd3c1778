import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isIsoDate } from '../../../utils/is-iso-date.js';
import type { SchemaShape } from '../../shape/schema-shape.js';

const MESSAGE = 'must be an ISO 8601 date, or date and time with its offset (2026-01-31T09:30:00Z)';

/**
 * Texts that are no dates where the schema wants some. class-transformer would make a `Date` of anything
 * that JavaScript can read, and of "05/06/2026" nobody knows the month.
 */
export function dateIssues(
  shape: SchemaShape,
  value: unknown,
  path: readonly PropertyKey[] = [],
): StandardSchemaV1.Issue[] {
  if (typeof value === 'string') {
    return shape.format === 'date-time' && !isIsoDate(value) ? [{ path, message: MESSAGE }] : [];
  }
  if (value === null || typeof value !== 'object') return [];
  const parts = (shape.all ?? []).flatMap((part) => dateIssues(part, value, path));
  const own = Object.entries(value).flatMap(([key, item]) => {
    const inner = Array.isArray(value) ? shape.items : shape.properties?.get(key);
    return inner ? dateIssues(inner, item, [...path, key]) : [];
  });
  return [...parts, ...own];
}
