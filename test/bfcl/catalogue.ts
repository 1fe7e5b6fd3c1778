import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function description together with arguments that are right for it. */
export interface CatalogueEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /** For each accepted call, the accepted values of each argument. */
  readonly calls: readonly Accepted[];
}

/** `""` among the values of an argument means that it may be left out. */
export type Accepted = Readonly<Record<string, unknown>>;

interface Question {
  readonly id: string;
  readonly function: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  }[];
}

interface Answer {
  readonly id: string;
  readonly ground_truth: readonly Record<string, Accepted>[];
}

/**
 * Reads a folder of function descriptions: `*.json` with `{ id, function: [{ name, description,
 * parameters }] }` a line, and in `possible_answer/` for each id the accepted values per argument.
 */
export function readCatalogue(directory: string): CatalogueEntry[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return files.flatMap((file) => {
    const answers = new Map(
      linesOf<Answer>(join(directory, 'possible_answer', file)).map((line) => [line.id, line]),
    );
    return linesOf<Question>(join(directory, file)).flatMap(({ id, function: functions }) =>
      functions.map(({ name, description, parameters }) => ({
        id: `${file}:${id}`,
        name,
        description,
        parameters,
        calls: (answers.get(id)?.ground_truth ?? [])
          .filter((truth) => Object.hasOwn(truth, name))
          .map((truth) => truth[name]),
      })),
    );
  });
}

function linesOf<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

/**
 * Right arguments: of each argument the first accepted value that its schema takes, or none where it
 * may be left out. (Catalogues list values for "nothing" that their own schemas refuse.)
 */
export function rightArguments(
  accepted: Accepted,
  takes: (name: string, value: unknown) => boolean,
): Record<string, unknown> {
  const chosen = Object.entries(accepted).flatMap(([name, values]) => {
    const candidates = Array.isArray(values) ? (values as unknown[]) : [values];
    const unfolded = candidates.filter((value) => value !== '').map(unfold);
    const mayBeLeftOut = candidates.includes('');
    const fitting = unfolded.find((value) => takes(name, value));
    if (fitting !== undefined) return [[name, fitting] as const];
    return mayBeLeftOut || unfolded.length === 0 ? [] : [[name, unfolded[0]] as const];
  });
  return Object.fromEntries(chosen);
}

/** Inside of objects, too, the fields hold lists of accepted values. */
function unfold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unfold);
  if (value === null || typeof value !== 'object') return value;
  return rightArguments(value as Accepted, () => true);
}
