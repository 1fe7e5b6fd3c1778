const MAX_QUOTE = 80;

/** One place where two values differ; what is missing is undefined. */
export interface Difference {
  readonly path: readonly string[];
  readonly recorded: unknown;
  readonly sent: unknown;
}

/** Where two JSON values differ. The order of properties does not count. */
export function findDifferences(
  recorded: unknown,
  sent: unknown,
  ignored: readonly (readonly string[])[],
  path: readonly string[] = [],
): Difference[] {
  if (recorded === sent || ignored.some((pattern) => isIgnored(pattern, path))) return [];
  if (!isNested(recorded) || !isNested(sent) || Array.isArray(recorded) !== Array.isArray(sent)) {
    return [{ path, recorded, sent }];
  }
  const names = new Set([...Object.keys(recorded), ...Object.keys(sent)]);
  return [...names].flatMap((name) =>
    findDifferences(own(recorded, name), own(sent, name), ignored, [...path, name]),
  );
}

export function describeDifference({ path, recorded, sent }: Difference): string {
  return `${path.join('.') || 'the body'}: recorded ${quote(recorded)}, sent ${quote(sent)}`;
}

/** Whether a value has a place that a path with `*` means. */
export function isPathIn(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true;
  if (!isNested(value)) return false;
  if (step === '*') return Object.values(value).some((item) => isPathIn(item, rest));
  return Object.hasOwn(value, step) && isPathIn(own(value, step), rest);
}

function isIgnored(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((step, index) => step === '*' || step === path[index])
  );
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value).toWellFormed();
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE).toWellFormed()}…` : text;
}
