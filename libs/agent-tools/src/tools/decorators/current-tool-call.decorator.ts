import { createParamDecorator } from '@nestjs/common';
import { currentCall } from './current-call.js';
import { markParameter } from './mark-parameter.js';

const Call = createParamDecorator((_data: unknown, context) => currentCall(context));

/**
 * Gives a tool method the call it serves, as a `ToolCall`: ids, step, signal, `progress()`, the run.
 * Never part of the schema, never set by the model.
 *
 * @publicApi
 */
export function CurrentToolCall(): ParameterDecorator {
  return markParameter(Call(), (index) => ({ kind: 'call', index }));
}
