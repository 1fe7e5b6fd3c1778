import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../interfaces/json-schema.interface.js';
import { listAlternatives, listValues, toPath } from './issue-texts.js';
import type { JsonSchemaProblem } from './json-schema.problem.js';

type Issue = StandardSchemaV1.Issue;

/** A union of large forms must not flood the answer. */
const MAX_ISSUES = 5;

/**
 * The problems of one branch of a union that no branch fits: the one that the discriminator
 * chooses, else the one with the fewest problems. If none has the type of the value, the types.
 */
export function nearestBranch(
  union: ErrorObject,
  problems: readonly JsonSchemaProblem[],
): readonly Issue[] {
  const { instancePath } = union;
  const branches = groupByBranch(union, problems).filter((branch) => branch.length > 0);
  const fitting = branches.filter((branch) => !branch.some((one) => isOwn(one, instancePath)));
  if (fitting.length === 0) return [expectedValue(branches.flat(), instancePath)];
  const chosen = fitting.filter((branch) => !branch.some((one) => isTag(one, instancePath)));
  if (chosen.length === 0) return tagIssues(fitting.flat(), instancePath);
  const [nearest] = chosen.toSorted((a, b) => a.length - b.length);
  return nearest.flatMap(({ issues }) => issues).slice(0, MAX_ISSUES);
}

function groupByBranch(
  { schemaPath, schema }: ErrorObject,
  problems: readonly JsonSchemaProblem[],
): JsonSchemaProblem[][] {
  const branches = (Array.isArray(schema) ? schema : []) as readonly JsonSchema[];
  const groups: JsonSchemaProblem[][] = branches.map(() => []);
  let current = 0;
  for (const problem of problems) {
    const index = branches.findIndex(
      ({ $ref }, position) =>
        problem.schemaPath.startsWith(`${schemaPath}/${position}/`) ||
        ($ref !== undefined && problem.schemaPath.startsWith(`${$ref}/`)),
    );
    // Behind a second reference nothing tells the branch, but the order does.
    if (index >= 0) current = index;
    groups[current]?.push(problem);
  }
  return groups;
}

/** A problem of the value itself: it is of another type, or is none of the values. */
function isOwn({ keyword, instancePath }: JsonSchemaProblem, place: string): boolean {
  return instancePath === place && ['type', 'const', 'enum'].includes(keyword);
}

/** A property that tells the branches apart has a value that this branch does not have. */
function isTag(problem: JsonSchemaProblem, place: string): boolean {
  const { instancePath } = problem;
  return (
    valuesOf(problem).length === 1 &&
    instancePath.startsWith(`${place}/`) &&
    !instancePath.slice(place.length + 1).includes('/')
  );
}

function tagIssues(problems: readonly JsonSchemaProblem[], place: string): Issue[] {
  const values = new Map<string, unknown[]>();
  for (const problem of problems) {
    if (!isTag(problem, place)) continue;
    const known = values.get(problem.instancePath) ?? [];
    values.set(problem.instancePath, [...known, ...valuesOf(problem)]);
  }
  return [...values].map(([path, allowed]) => ({
    path: toPath(path),
    message: `must be one of ${listValues([...new Set(allowed)])}`,
  }));
}

function expectedValue(problems: readonly JsonSchemaProblem[], place: string): Issue {
  const own = problems.filter((problem) => isOwn(problem, place));
  const values = [...new Set(own.flatMap(valuesOf))];
  // A branch of one value often names its type as well, which says less.
  const typed = own.filter(({ keyword }) => keyword === 'type');
  const types = typed.flatMap(({ params }) => [params.type].flat().map(String));
  const isOfKnownType = own.some(({ keyword }) => keyword !== 'type');
  const parts = [
    ...(values.length > 0 ? [`one of ${listValues(values)}`] : []),
    ...types.filter((type) => !isOfKnownType || !values.some((value) => typeof value === type)),
  ];
  return { path: toPath(place), message: `must be ${listAlternatives(parts)}` };
}

function valuesOf({ keyword, params }: JsonSchemaProblem): readonly unknown[] {
  if (keyword === 'const') return [params.allowedValue];
  return keyword === 'enum' ? (params.allowedValues as readonly unknown[]) : [];
}
