import type { SchemaSource } from '../../schemas/interfaces/schema-source.interface.js';

/**
 * Options of `@ToolParam()`.
 *
 * @publicApi
 */
export interface ToolParamOptions {
  /** What the parameter means, with an example where the form is not obvious. */
  readonly description?: string;

  /**
   * Whether the model must give it. TypeScript's `?` cannot be seen at run time.
   * @default true
   */
  readonly required?: boolean;

  /**
   * Describes and validates the value.
   * @default the parameter's type: `string`, `number`, `boolean`, `Date` or a class
   */
  readonly schema?: SchemaSource;

  /** The values that are allowed. */
  readonly enum?: readonly (string | number | boolean)[];
}
