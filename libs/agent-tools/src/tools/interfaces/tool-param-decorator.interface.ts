/**
 * The decorator that `@ToolParam()` returns for a `schema` without pipes. The compiler's message for
 * a parameter that does not accept what the schema yields says so in words.
 *
 * @publicApi
 */
export type ToolParamDecorator<Output> = <Target extends object, Key, Index extends number>(
  target: Target,
  key: Key,
  index: Index & ToolParamCheck<Output, Target, Key, Index>,
) => void;

/** A private method is not among the keys of its class, and is not checked. */
type ToolParamCheck<Output, Target, Key, Index> = unknown extends Output
  ? unknown
  : Key extends keyof Target
    ? Target[Key] extends (...args: infer Arguments) => unknown
      ? [Output] extends [Arguments[Index & keyof Arguments]]
        ? unknown
        : // Written here, as the compiler shows of a named type only the name.
          {
            readonly 'this parameter does not accept what the schema of its @ToolParam() yields': Output;
          }
      : unknown
    : unknown;
