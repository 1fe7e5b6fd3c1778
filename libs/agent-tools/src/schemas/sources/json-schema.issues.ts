import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ErrorObject } from 'ajv';
import { listAlternatives, listValues, toPath } from './issue-texts.js';
import type { JsonSchemaProblem } from './json-schema.problem.js';
import { nearestBranch } from './union.issues.js';

type Issue = StandardSchemaV1.Issue;

const UNIONS = new Set(['anyOf', 'oneOf']);

/** With these, ajv also reports what is wrong with each part that was tried. */
const SUMMARIES = new Set([...UNIONS, 'contains', 'not', 'propertyNames']);

/**
 * Ajv's errors as issues that a model can act on: they say what was expected, name the property
 * that is at fault, and a union has the problems of the branch that was most likely meant.
 */
export function toIssues(errors: readonly ErrorObject[]): readonly Issue[] {
  const problems: JsonSchemaProblem[] = [];
  for (const error of errors) {
    // "then" or "else" failed, and reported why.
    if (error.keyword === 'if') continue;
    const parts = SUMMARIES.has(error.keyword) ? takeParts(problems, error) : [];
    problems.push(toProblem(error, parts));
  }
  return problems.flatMap(({ issues }) => issues);
}

function toProblem(error: ErrorObject, parts: readonly JsonSchemaProblem[]): JsonSchemaProblem {
  const { keyword, instancePath, schemaPath } = error;
  const params = error.params as Record<string, unknown>;
  const isFailedUnion = UNIONS.has(keyword) && !Array.isArray(params.passingSchemas);
  const issues =
    isFailedUnion && parts.length > 0
      ? nearestBranch(error, parts)
      : [toIssue(keyword, toPath(instancePath), params, error.message)];
  return { keyword, instancePath, schemaPath, params, issues };
}

/** The problems of the parts of a keyword stand right before its own. */
function takeParts(problems: JsonSchemaProblem[], error: ErrorObject): JsonSchemaProblem[] {
  let start = problems.length;
  while (start > 0 && isPart(problems[start - 1], error)) start--;
  return problems.splice(start);
}

function isPart(problem: JsonSchemaProblem, { instancePath, schemaPath }: ErrorObject): boolean {
  const isInside =
    problem.instancePath === instancePath || problem.instancePath.startsWith(`${instancePath}/`);
  if (!isInside) return false;
  if (problem.schemaPath.startsWith(`${schemaPath}/`)) return true;
  // Behind a reference the path starts anew; beside the keyword it has the same beginning.
  const parent = schemaPath.slice(0, schemaPath.lastIndexOf('/'));
  const isBeside = problem.schemaPath.startsWith(`${parent}/`);
  return !isBeside || (parent === '#' && /^#\/(\$defs|definitions)\//.test(problem.schemaPath));
}

function toIssue(
  keyword: string,
  path: readonly string[],
  params: Readonly<Record<string, unknown>>,
  message = `breaks the rule "${keyword}"`,
): Issue {
  const at = (name: unknown, text: string) => ({ path: [...path, String(name)], message: text });
  switch (keyword) {
    case 'type':
      return { path, message: `must be ${listAlternatives([params.type].flat().map(String))}` };
    case 'required':
      return at(params.missingProperty, 'is required');
    case 'dependentRequired':
    case 'dependencies':
      return at(params.missingProperty, `is required with "${String(params.property)}"`);
    case 'additionalProperties':
      return at(params.additionalProperty, 'is not expected');
    case 'unevaluatedProperties':
      return at(params.unevaluatedProperty, 'is not expected');
    case 'propertyNames':
      return at(params.propertyName, 'is not an allowed name');
    case 'enum':
      return {
        path,
        message: `must be one of ${listValues(params.allowedValues as readonly unknown[])}`,
      };
    case 'const':
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` };
    case 'not':
      return { path, message: 'is a value that is not allowed' };
    case 'oneOf':
      return { path, message: 'must match exactly one of the allowed forms, but matches several' };
    case 'anyOf':
      return { path, message: 'must match one of the allowed forms' };
    default:
      return { path, message };
  }
}
