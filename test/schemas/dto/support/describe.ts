import type { Type } from '@nestjs/common';
import { createSchema } from '../../../../libs/agent-tools/src/schemas/tool-schema.factory.js';

/** The JSON Schema of a DTO class. */
export function schemaOf(target: Type) {
  return createSchema(target).jsonSchema;
}

/** The message with which a class is refused. */
export function problemOf(target: Type): string {
  try {
    createSchema(target);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${target.name} was described.`);
}

/** The instance that comes out, or the problems as `path: message`. */
export async function validate(target: Type, input: unknown): Promise<unknown> {
  const result = await createSchema(target)['~standard'].validate(input);
  if (!result.issues) return result.value;
  return result.issues.map(({ path = [], message }) => `${path.map(String).join('.')}: ${message}`);
}
