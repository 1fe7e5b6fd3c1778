/**
 * The decorator that `@Tool()` returns.
 *
 * @publicApi
 */
export type ToolMethodDecorator<Output> = <Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method> & ToolMethodCheck<Output, Method>,
) => void;

/**
 * Asks about the output first: without a schema there is nothing to check, and the decorator is one
 * that `applyDecorators()` takes.
 */
type ToolMethodCheck<Output, Method> = unknown extends Output
  ? unknown
  : Method extends (...args: infer Arguments) => unknown
    ? AcceptsInput<Output, Required<Arguments>> extends true
      ? unknown
      : ToolInputMismatch<Output>
    : unknown;

/**
 * Appears in the compiler's message when no parameter of a tool method accepts what its schema
 * yields.
 *
 * @publicApi
 */
export interface ToolInputMismatch<Output> {
  readonly 'no parameter of this method accepts what the inputSchema yields': Output;
}

/**
 * Whether one of the parameters accepts the whole output. A schema without fields needs none, and
 * `unknown` (a raw JSON Schema, or no schema) is not checked.
 *
 * @publicApi
 */
export type AcceptsInput<Output, Parameters extends readonly unknown[]> = unknown extends Output
  ? true
  : Parameters extends readonly [infer First, ...infer Rest]
    ? [Output] extends [First]
      ? true
      : AcceptsInput<Output, Rest>
    : number extends Parameters['length']
      ? [Output] extends [Parameters[number]]
        ? true
        : false
      : [keyof Output] extends [never]
        ? true
        : // What zod infers for an object without fields.
          [Output] extends [Record<string, never>]
          ? true
          : false;
