import type { SchemaSource } from './schema-source.interface.js';

/** One field of a schema that is put together from the parameters of a method. */
export interface ParameterField {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema?: SchemaSource;
  readonly enum?: readonly (string | number | boolean)[];
  /** What TypeScript's metadata says about the parameter, if anything. */
  readonly designType: unknown;
}
