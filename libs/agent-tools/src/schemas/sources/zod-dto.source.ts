import type { StandardSchemaV1 } from '@standard-schema/spec';
import { createToolSchema } from '../create-tool-schema.js';
import type { SchemaSide, ToolOutputSchema } from '../interfaces/tool-schema.interface.js';
import { isThenable, toPromise } from '../../utils/is-thenable.js';
import { isClass } from './dto-class.source.js';
import { fromStandardSchema } from './standard-schema.source.js';

type Result = StandardSchemaV1.Result<unknown>;

/**
 * A class made by `createZodDto()` of nestjs-zod, or one that extends it: recognised by its static
 * `schema`. The method gets an instance, so the class may have methods of its own.
 */
export function fromZodDto(source: unknown, side?: SchemaSide): ToolOutputSchema | undefined {
  if (!isClass(source)) return undefined;
  const schema = fromStandardSchema((source as { schema?: unknown }).schema, side);
  if (!schema) return undefined;
  const { validate, jsonSchema } = schema['~standard'];
  const toInstance = (result: Result): Result =>
    result.issues ? result : { value: instanceOf(source.prototype as object, result.value) };
  return createToolSchema(
    schema.source,
    schema.jsonSchema,
    (value) => {
      const result = validate(value);
      return isThenable(result)
        ? toPromise(result).then((settled) => toInstance(settled as Result))
        : toInstance(result);
    },
    () => jsonSchema.output({ target: 'draft-2020-12' }),
  );
}

/** Without the constructor, as nestjs-zod itself never calls it. */
function instanceOf(prototype: object, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.assign(Object.create(prototype) as object, value);
}
