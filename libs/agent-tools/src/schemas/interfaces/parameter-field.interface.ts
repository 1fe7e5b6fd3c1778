import type { EnumSource, FieldType, SchemaSource } from './schema-source.interface.js';

/** One field of a schema that is put together from the parameters of a method. */
export interface ParameterField {
  readonly name: string;
  readonly description?: string;
  /** Undefined: it is required unless its schema has a default. */
  readonly required?: boolean;
  readonly schema?: SchemaSource;
  readonly type?: FieldType;
  readonly enum?: EnumSource;
  /** What TypeScript's metadata says about the parameter, if anything. */
  readonly designType: unknown;
}
