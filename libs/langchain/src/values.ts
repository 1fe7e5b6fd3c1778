export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value of which nothing is known; none if it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `undefined` for an empty text, too. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** A copy that survives storage as JSON, or `undefined` if there is none. */
export function toPlain(value: Fields): Fields | undefined {
  try {
    return JSON.parse(JSON.stringify(value)) as Fields;
  } catch {
    return undefined;
  }
}
