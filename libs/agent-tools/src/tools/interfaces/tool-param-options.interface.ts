import type {
  EnumSource,
  FieldType,
  SchemaSource,
} from '../../schemas/interfaces/schema-source.interface.js';

/**
 * Options of `@ToolParam()`.
 *
 * @publicApi
 */
export interface ToolParamOptions<Source extends SchemaSource = SchemaSource> {
  /** What the parameter means, with an example where the form is not obvious. */
  readonly description?: string;

  /**
   * Whether the model must give it. TypeScript's `?` cannot be seen at run time.
   * @default true, or false if the `schema` has a default
   */
  readonly required?: boolean;

  /**
   * Describes and validates the value.
   * @default what `type` or `enum` says, else the parameter's type: `string`, `number`, `boolean`,
   * `Date` or a class
   */
  readonly schema?: Source;

  /**
   * The type, where TypeScript's metadata does not know it: `[String]`, `ItemDto`, `[ItemDto]`,
   * `() => ItemDto` for a class that is declared later, `'integer'`.
   */
  readonly type?: FieldType;

  /**
   * The values that are allowed, or a TypeScript enum. With a parameter that is an array, or with
   * `type: [String]`, these are the values of its items.
   */
  readonly enum?: EnumSource;
}
