/** The values of an enum as swagger takes it: a list, an enum object, or a function giving one. */
export function enumValues(source: unknown): readonly unknown[] {
  if (typeof source === 'function') return enumValues(source());
  if (Array.isArray(source)) return source;
  if (source === null || typeof source !== 'object') return [];
  // A numeric enum also holds its names, under the numbers.
  const names = new Set(
    Object.values(source)
      .filter((value) => typeof value === 'number')
      .map(String),
  );
  return Object.entries(source)
    .filter(([key]) => !names.has(key))
    .map(([, value]) => value as unknown);
}

/** The plugin hands over a const object of literals as the type itself. */
export function isPlainEnum(type: unknown): boolean {
  if (type === null || typeof type !== 'object' || Array.isArray(type)) return false;
  const values = Object.values(type);
  return (
    values.length > 0 &&
    values.every((value) => typeof value === 'string' || typeof value === 'number')
  );
}
