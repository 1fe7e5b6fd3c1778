import type { StandardSchemaV1 } from '@standard-schema/spec';

/**
 * A schema for the pipes of a value that it has validated already. Nest's own
 * `StandardSchemaValidationPipe` would validate the output of a transform or a codec as if it were
 * an input; for that value, this schema answers what it yielded before.
 */
export function validatedSchema(schema: StandardSchemaV1, value: unknown): StandardSchemaV1 {
  const standard = schema['~standard'];
  const known: StandardSchemaV1.Props = {
    ...standard,
    validate: (given, options) =>
      Object.is(given, value) ? { value } : standard.validate(given, options),
  };
  if (typeof schema !== 'function') {
    return Object.create(schema, { '~standard': { value: known } }) as StandardSchemaV1;
  }
  // arktype's types are functions, which only a proxy can stand for.
  return new Proxy(schema, {
    get: (target, key) => (key === '~standard' ? known : (Reflect.get(target, key) as unknown)),
  });
}
