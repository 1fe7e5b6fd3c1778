import { isDeepStrictEqual } from 'node:util';
import type { EnhancerScope } from './enhancers.js';
import type { Outcome } from './runner.js';

/** What all cases of a host form and a column showed: 'ok', or what did not hold. */
export interface MatrixRow {
  readonly form: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** Guards, interceptors, pipes and filters together; of the method, the class and the parameter. */
export function describeMatrix(outcomes: readonly Outcome[]): MatrixRow[] {
  const rows = new Map<string, Record<string, string>>();
  for (const outcome of outcomes) {
    const { title } = outcome.case.form;
    const cells = rows.get(title) ?? {};
    rows.set(title, cells);
    const column = columnOf(outcome);
    const problem = problemOf(outcome);
    if (!problem) cells[column] ??= OK;
    else if (!cells[column] || cells[column] === OK) cells[column] = problem;
  }
  return [...rows].map(([form, cells]) => ({ form, cells }));
}

/** As Prettier writes it. */
export function toMarkdown(rows: readonly MatrixRow[]): string {
  const columns = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))];
  const lines = [
    ['host', ...columns],
    ...rows.map(({ form, cells }) => [form, ...columns.map((column) => cells[column] ?? '')]),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const [head, ...body] = lines.map((line) => join(line.map((cell, i) => cell.padEnd(widths[i]))));
  return [head, join(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

const OK = 'ok';

const COLUMNS: Readonly<Record<EnhancerScope, string>> = {
  singleton: 'singleton',
  'request-scoped': 'request-scoped',
  transient: 'transient',
  'request-scoped by its constructor': 'scoped by a dependency',
  'request-scoped by a property': 'scoped by a dependency',
  instance: 'instance',
};

function columnOf({ case: { registration, scope } }: Outcome): string {
  if (!registration) return COLUMNS[scope];
  return scope === 'singleton' || scope === 'instance' ? 'global' : 'scoped global';
}

function problemOf({ case: one, observed, expected }: Outcome): string | undefined {
  if ('bootError' in observed) return `${one.level} ${one.kind}: does not start`;
  const difference = firstDifference(observed, expected, []);
  return difference && `${one.level} ${one.kind}: ${difference}`;
}

function firstDifference(
  observed: unknown,
  expected: unknown,
  path: readonly string[],
): string | undefined {
  if (isDeepStrictEqual(observed, expected)) return undefined;
  if (isObject(observed) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(observed)])) {
      const difference = firstDifference(observed[key], expected[key], [...path, key]);
      if (difference) return difference;
    }
  }
  return `${path.join('.')} is ${textOf(observed)}, not ${textOf(expected)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'function' ? value.name : (JSON.stringify(value) ?? String(value));
}

function join(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
