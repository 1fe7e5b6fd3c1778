import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ValidationError } from 'class-validator';
import type { SchemaSide } from '../../interfaces/tool-schema.interface.js';
import { knownClass } from './class-facts.reader.js';
import type { InputCheck, PathIssue } from './input.check.js';

type Issue = StandardSchemaV1.Issue;

/** The problems that class-validator found, told by the names that the plain object has. */
export function issuesFrom(errors: readonly ValidationError[], side: SchemaSide): PathIssue[] {
  return errors.flatMap((error) => toIssues(error, side, []));
}

function toIssues(
  error: ValidationError,
  side: SchemaSide,
  parents: readonly string[],
): PathIssue[] {
  const { property, constraints, children = [] } = error;
  const facts = knownClass(error.target?.constructor, side);
  const known = facts?.properties.find(({ name }) => name === property);
  // What is not shown of a result is not asked for either.
  if (side === 'output' && facts && !known) return [];
  const name = known?.inputName ?? property;
  const path = name === undefined ? parents : [...parents, name];
  // What every rule has to say about a value that is not there helps nobody.
  if (error.value === undefined && known?.isRequired) return [{ path, message: 'is required' }];
  const own = Object.entries(constraints ?? {}).map(([rule, message]) => ({
    path,
    message: message || `breaks the rule "${rule}"`,
  }));
  return [...own, ...children.flatMap((child) => toIssues(child, side, path))];
}

/**
 * Everything that is wrong, each once: the words of a rule come before those of the described schema and
 * of the look at the shape.
 */
export function allIssues(
  ruled: readonly PathIssue[],
  described: readonly Issue[],
  { unknown, mismatches }: InputCheck,
): Issue[] {
  const converted = new Set(mismatches.filter((one) => one.isConverted).map(keyOf));
  const issues: Issue[] = ruled.filter((issue) => !converted.has(keyOf(issue)));
  const told = new Set(issues.map(keyOf));
  issues.push(...described.filter((issue) => !told.has(keyOf(issue))));
  for (const issue of issues) told.add(keyOf(issue));
  const isTold = ({ path }: PathIssue) =>
    told.has(path.join('.')) || (isIndex(path.at(-1)) && told.has(path.slice(0, -1).join('.')));
  // The marks are for here.
  const untold = [...unknown, ...mismatches].filter((issue) => !isTold(issue));
  return [...issues, ...untold.map(({ path, message }) => ({ path, message }))];
}

function keyOf({ path = [] }: Issue): string {
  return path.map(String).join('.');
}

function isIndex(key: string | undefined): boolean {
  return key !== undefined && /^\d+$/.test(key);
}
