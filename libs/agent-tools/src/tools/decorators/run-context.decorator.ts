import { createParamDecorator } from '@nestjs/common';
import type { RunContextDecorator } from '../interfaces/run-context-decorator.interface.js';
import type { AgentRunContextKey } from '../interfaces/agent-run-context.interface.js';
import { currentCall } from './current-call.js';
import { markParameter } from './mark-parameter.js';

const Context = createParamDecorator((key: string | undefined, context) => {
  const values = currentCall(context)?.run.context as Record<string, unknown> | undefined;
  return key === undefined ? values : values?.[key];
});

/**
 * Gives a tool method the application's values of this run (the `context` that the run was started
 * with), or one of them. Never part of the schema, never set by the model.
 *
 * @publicApi
 */
export function RunContext<Key extends AgentRunContextKey | undefined = undefined>(
  key?: Key,
): RunContextDecorator<Key>;
export function RunContext(key?: string): ParameterDecorator {
  return markParameter(Context(key), (index) => ({ kind: 'context', index, key }));
}
