import type { Observable } from 'rxjs';
import type { ToolResult } from '../tool-result.js';

/**
 * The decorator that `@Tool()` returns.
 *
 * @publicApi
 */
export type ToolMethodDecorator<Output, Returned = unknown> = <Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method> & ToolMethodCheck<Output, Returned, Method>,
) => void;

/**
 * Asks about the schemas first: without one there is nothing to check, and the decorator is one that
 * `applyDecorators()` takes.
 */
type ToolMethodCheck<Output, Returned, Method> = ToolInputCheck<Output, Method> &
  ToolOutputCheck<Returned, Method>;

type ToolInputCheck<Output, Method> = unknown extends Output
  ? unknown
  : Method extends (...args: infer Arguments) => unknown
    ? AcceptsInput<Output, Required<Arguments>> extends true
      ? unknown
      : ToolInputMismatch<Output>
    : unknown;

type ToolOutputCheck<Returned, Method> = unknown extends Returned
  ? unknown
  : Method extends (...args: never[]) => infer Value
    ? [ToolOutputOf<Value>] extends [Returned]
      ? unknown
      : ToolOutputMismatch<Returned>
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
 * Appears in the compiler's message when a tool method returns what its `outputSchema` does not
 * accept.
 *
 * @publicApi
 */
export interface ToolOutputMismatch<Returned> {
  readonly 'this method returns what the outputSchema does not accept': Returned;
}

/**
 * The value of a tool call, by the return type of the method: promises, Observables and sequences
 * are read to their end. What a `ToolResult` holds is not known to the compiler.
 *
 * @publicApi
 */
export type ToolOutputOf<Value> = Value extends ToolResult
  ? never
  : Value extends PromiseLike<infer Later>
    ? ToolOutputOf<Later>
    : Value extends Observable<infer Last>
      ? Last
      : Value extends AsyncGenerator<infer Last, infer End> | Generator<infer Last, infer End>
        ? End extends void
          ? Last
          : End
        : Value extends AsyncIterable<infer Last>
          ? Last
          : Value;

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
