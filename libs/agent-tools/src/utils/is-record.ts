/**
 * Whether a value is what JSON writes in braces.
 *
 * @publicApi
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
