import type { Type } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { jsonSchemaValidator } from '../json-schema.validator.js';
import type { ClassFacts } from './class-facts.js';
import { readClass } from './class-facts.reader.js';
import { declaredDefaultsFiller } from './declared-defaults.js';
import { allIssues, issuesFrom } from './dto.issues.js';
import { InputCheck } from './input.check.js';
import { findClassValidator, loadClassTransformer, requireAjv } from './packages.js';
import { reachableClasses } from './reachable-classes.js';
import { uncheckedSchema } from './unchecked.schema.js';

type Validate = StandardSchemaV1.Props['validate'];

/**
 * Makes an instance with class-transformer and checks it with class-validator, as Nest's
 * `ValidationPipe` does with `whitelist` and `forbidNonWhitelisted`. What the schema shows holds, too:
 * simple types and the forms of nested objects are looked at before, what only `@ApiProperty()` or the
 * swagger plugin describes is checked against the described schema.
 */
export function dtoValidator(target: Type<object>): Validate {
  const facts = readClass(target, 'input');
  const { classes, made, targetMaps, hasVariants } = reachableClasses(target, 'input');
  const { plainToInstance } = loadClassTransformer();
  const rules = facts.isValidated ? findClassValidator() : undefined;
  const forbidUnknownValues = classes.every(({ isValidated }) => isValidated);
  const checkRest = restValidator(facts, classes);
  const fillDefaults = declaredDefaultsFiller(facts, made);

  return async (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return { issues: [{ message: 'must be an object' }] };
    }
    const check = new InputCheck(value, facts);
    if (check.isUnreadable) return { issues: allIssues([], [], check) };
    const isStrange = check.unknown.length > 0;
    // class-transformer takes the discriminators out of its input.
    const plain = isStrange || hasVariants ? (copyOf(value) as object) : value;
    // Nothing that the class does not show gets as far as its setters.
    for (const { path } of check.unknown) removeAt(plain, path);
    const filled = fillDefaults ? fillDefaults(plain) : plain;
    const rest = (await checkRest(filled)).issues ?? [];

    let instance: object;
    try {
      instance = plainToInstance(target, filled, { exposeDefaultValues: true, targetMaps });
    } catch {
      // A `@Transform()` or a setter of the class did not expect such a value.
      const issues = allIssues([], rest, new InputCheck(value, facts, false));
      return { issues: issues.length > 0 ? issues : [{ message: 'cannot be read' }] };
    }
    try {
      const errors = (await rules?.validate(instance, { forbidUnknownValues })) ?? [];
      const issues = allIssues(issuesFrom(errors, 'input'), rest, check);
      return issues.length === 0 ? { value: instance } : { issues };
    } catch (error) {
      // A rule of the application may not expect a value of another type than the one that is shown.
      const issues = allIssues([], rest, check);
      if (issues.length > 0) return { issues };
      throw error;
    }
  };
}

/** Not `structuredClone`, whose objects are no `Object`s of a Jest environment. */
function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function removeAt(value: object, path: readonly string[]): void {
  let owner = value as Record<string, unknown>;
  for (const key of path.slice(0, -1)) owner = owner[key] as Record<string, unknown>;
  delete owner[path[path.length - 1]];
}

/** What the described schema checks, because neither a rule nor the look at the shape does. */
export function restValidator(root: ClassFacts, entered: readonly ClassFacts[]): Validate {
  const unchecked = uncheckedSchema(root, entered);
  if (!unchecked) return (value) => ({ value });
  requireAjv(unchecked.firstPath);
  return jsonSchemaValidator(unchecked.schema, unchecked.schema);
}
