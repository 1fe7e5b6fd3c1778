import type { Type } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ValidationError } from 'class-validator';
import { jsonSchemaValidator } from '../json-schema.validator.js';
import type { ClassFacts } from './class-facts.js';
import { knownClass, readClass } from './class-facts.reader.js';
import { findClassValidator, loadClassTransformer, requireAjv } from './packages.js';
import { compileShape } from '../../shape/shape.compiler.js';
import type { JsonSchema } from '../../interfaces/json-schema.interface.js';
import { dateIssues } from './date.issues.js';
import { declaredDefaultsFiller } from './declared-defaults.js';
import { reachableClasses } from './reachable-classes.js';
import { uncheckedSchema } from './unchecked.schema.js';
import { UnknownProperties } from './unknown-properties.js';

type Validate = StandardSchemaV1.Props['validate'];

/**
 * Makes an instance with class-transformer and checks it with class-validator, as Nest's
 * `ValidationPipe` does with `whitelist` and `forbidNonWhitelisted`. What only `@ApiProperty()` or
 * the swagger plugin describes is checked against the described schema.
 */
export function dtoValidator(target: Type<object>, jsonSchema: JsonSchema): Validate {
  const facts = readClass(target);
  const { classes, targetMaps, hasVariants } = reachableClasses(target);
  const { plainToInstance } = loadClassTransformer();
  const rules = facts.isValidated ? findClassValidator() : undefined;
  const forbidUnknownValues = classes.every(({ isValidated }) => isValidated);
  const checkRest = restValidator(target, classes);
  const fillDefaults = declaredDefaultsFiller(facts, classes);
  const hasDates = JSON.stringify(jsonSchema).includes('"date-time"');

  return async (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return { issues: [{ message: 'must be an object' }] };
    }
    const unknown = new UnknownProperties(value, facts);
    if (unknown.hasUnknownVariant) return { issues: unknown.issues };
    const dates = hasDates ? dateIssues(compileShape(jsonSchema), value) : [];
    const filled = fillDefaults ? fillDefaults(value) : value;
    const rest = await checkRest(filled);
    const plain = rest.issues ? filled : rest.value;
    // class-transformer takes the discriminators out of its input.
    const instance: object = plainToInstance(target, hasVariants ? copyOf(plain) : plain, {
      exposeDefaultValues: true,
      targetMaps,
    });
    const errors = (await rules?.validate(instance, { forbidUnknownValues })) ?? [];
    const issues = [
      ...errors.flatMap((error) => toIssues(error)),
      ...(rest.issues ?? []),
      ...unknown.issues,
    ];
    const told = new Set(issues.map(({ path = [] }) => path.join('.')));
    issues.push(...dates.filter(({ path = [] }) => !told.has(path.join('.'))));
    return issues.length === 0 ? { value: instance } : { issues };
  };
}

/** Not `structuredClone`, whose objects are no `Object`s of a Jest environment. */
function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** What Ajv checks gets the defaults of its schema, too. */
function restValidator(target: Type, entered: readonly ClassFacts[]): Validate {
  const unchecked = uncheckedSchema(target, entered);
  if (!unchecked) return (value) => ({ value });
  requireAjv(unchecked.firstPath);
  return jsonSchemaValidator(unchecked.schema, unchecked.schema);
}

/** A problem is told by the name that the input has for the property. */
function toIssues(
  error: ValidationError,
  parents: readonly string[] = [],
): StandardSchemaV1.Issue[] {
  const { property, constraints, children = [] } = error;
  const facts = knownClass(error.target?.constructor);
  const name = facts?.properties.find((known) => known.name === property)?.inputName ?? property;
  const path = name === undefined ? parents : [...parents, name];
  const own = Object.values(constraints ?? {}).map((message) => ({ path, message }));
  return [...own, ...children.flatMap((child) => toIssues(child, path))];
}
