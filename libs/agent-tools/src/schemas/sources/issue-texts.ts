const MAX_VALUES = 30;

/** The path of a JSON pointer into a value. */
export function toPath(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Values as JSON; of a long list only the beginning. */
export function listValues(values: readonly unknown[]): string {
  if (values.length <= MAX_VALUES) return JSON.stringify(values);
  const listed = JSON.stringify(values.slice(0, MAX_VALUES));
  return `${listed} and ${values.length - MAX_VALUES} more values`;
}

/** `a, b or c`, each once. */
export function listAlternatives(words: readonly string[]): string {
  const unique = [...new Set(words)];
  if (unique.length < 2) return unique.join('');
  return `${unique.slice(0, -1).join(', ')} or ${unique[unique.length - 1]}`;
}
