import type { AgentRunContext } from './agent-run-context.interface.js';

/**
 * The decorator that `@RunContext()` returns. Once `AgentRunContext` is augmented, the compiler refuses a
 * parameter that does not accept the value of that key.
 *
 * @publicApi
 */
export type RunContextDecorator<ContextKey> = <Target extends object, Key, Index extends number>(
  target: Target,
  key: Key,
  index: Index & RunContextCheck<ContextKey, Target, Key, Index>,
) => void;

/** A private method is not among the keys of its class, and is not checked. */
type RunContextCheck<ContextKey, Target, Key, Index> = ContextKey extends keyof AgentRunContext
  ? Key extends keyof Target
    ? Target[Key] extends (...args: infer Arguments) => unknown
      ? [AgentRunContext[ContextKey]] extends [Arguments[Index & keyof Arguments]]
        ? unknown
        : // Written here, as the compiler shows of a named type only the name.
          {
            readonly 'this parameter does not accept the value of the run context': AgentRunContext[ContextKey];
          }
      : unknown
    : unknown
  : unknown;
