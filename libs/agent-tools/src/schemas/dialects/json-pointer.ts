/** One name as a part of a JSON Pointer. */
export function escapePointer(name: string): string {
  if (!name.includes('~') && !name.includes('/')) return name;
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The names in a `$ref` that is a JSON Pointer into the same document. */
export function parseReference(ref: string): string[] | undefined {
  if (ref === '#' || ref === '') return [];
  if (!ref.startsWith('#/')) return undefined;
  return ref
    .slice(2)
    .split('/')
    .map((part) => decode(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place, or undefined. */
export function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document;
  for (const name of names) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
