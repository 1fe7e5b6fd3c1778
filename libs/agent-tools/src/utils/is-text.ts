/**
 * Whether a value is a text that says something.
 *
 * @publicApi
 */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
