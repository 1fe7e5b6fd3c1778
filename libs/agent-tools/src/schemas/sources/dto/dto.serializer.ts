import type { Type } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { readClass } from './class-facts.reader.js';
import { allIssues, issuesFrom } from './dto.issues.js';
import { restValidator } from './dto.validator.js';
import { InputCheck } from './input.check.js';
import { findClassValidator, loadClassTransformer } from './packages.js';
import { reachableClasses } from './reachable-classes.js';
import { CircularResult, readResult } from './result.reader.js';
import { instanceFrom, shownOf } from './result.writer.js';

type Validate = StandardSchemaV1.Props['validate'];

/**
 * Checks what a method returns: an instance of the class, or any object that has its properties. What
 * goes on is what class-transformer's `instanceToPlain()` makes of it, as Nest's
 * `ClassSerializerInterceptor` has it, without anything that the class does not show. No `@Transform()`
 * for inputs is applied to a result.
 */
export function dtoSerializer(target: Type<object>): Validate {
  const facts = readClass(target, 'output');
  const { classes } = reachableClasses(target, 'output');
  const { instanceToPlain } = loadClassTransformer();
  const rules = facts.isValidated ? findClassValidator() : undefined;
  const forbidUnknownValues = classes.every(({ isValidated }) => isValidated);
  const checkRest = restValidator(facts, classes);

  return async (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return { issues: [{ message: 'must be an object' }] };
    }
    let plain: object;
    try {
      plain = readResult(value, facts);
    } catch (error) {
      if (!(error instanceof CircularResult)) throw error;
      return { issues: [{ path: error.path, message: 'must not contain itself' }] };
    }
    const check = new InputCheck(plain, facts);
    if (check.isUnreadable) return { issues: allIssues([], [], check) };
    const instance = instanceFrom(plain, facts, value);
    const errors = (await rules?.validate(instance, { forbidUnknownValues })) ?? [];
    const rest = (await checkRest(plain)).issues ?? [];
    const issues = allIssues(issuesFrom(errors, 'output'), rest, check);
    if (issues.length > 0) return { issues };
    return { value: shownOf(instanceToPlain(instance), facts) };
  };
}
