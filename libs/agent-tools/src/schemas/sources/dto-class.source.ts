import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { loadPackage } from '../../utils/load-package.js';
import { createToolSchema } from '../create-tool-schema.js';
import type { ToolSchema } from '../interfaces/tool-schema.interface.js';
import { toObjectJsonSchema } from '../object-json-schema.js';
import { DtoDescriber } from './dto.describer.js';

type ClassValidator = typeof import('class-validator');
type ClassTransformer = typeof import('class-transformer');

const USED_FOR = 'A tool whose input is a class';
const PACKAGES = ['class-validator', 'class-transformer'];

/**
 * A class with class-validator decorators. The method gets an instance, made and checked by
 * class-transformer and class-validator themselves; properties without a decorator are refused, so
 * a model cannot set what the schema does not show.
 */
export function fromDtoClass(source: unknown): ToolSchema | undefined {
  if (!isClass(source)) return undefined;
  const { validate } = loadPackage<ClassValidator>('class-validator', USED_FOR, ...PACKAGES);
  const { plainToInstance } = loadPackage<ClassTransformer>(
    'class-transformer',
    USED_FOR,
    ...PACKAGES,
  );
  const jsonSchema = toObjectJsonSchema(new DtoDescriber(source).describe());

  return createToolSchema('class-validator', jsonSchema, async (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return { issues: [{ message: 'must be an object' }] };
    }
    const instance: object = plainToInstance(source, value, { exposeDefaultValues: true });
    const errors = await validate(instance, { whitelist: true, forbidNonWhitelisted: true });
    return errors.length === 0
      ? { value: instance }
      : { issues: errors.flatMap((error) => toIssues(error)) };
  });
}

export function isClass(value: unknown): value is Type<object> {
  return typeof value === 'function' && value.prototype?.constructor === value;
}

function toIssues(
  error: ValidationError,
  parents: readonly string[] = [],
): StandardSchemaV1.Issue[] {
  const path = [...parents, error.property];
  const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, path))];
}
