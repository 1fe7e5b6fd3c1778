import { createParamDecorator } from '@nestjs/common';
import { currentCall } from './current-call.js';
import { markParameter } from './mark-parameter.js';

const Signal = createParamDecorator((_data: unknown, context) => currentCall(context)?.signal);

/**
 * Gives a tool method the `AbortSignal` of its call, which aborts on a timeout and when the run
 * ends. Hand it to everything that takes one, such as `fetch`.
 *
 * @publicApi
 */
export function ToolSignal(): ParameterDecorator {
  return markParameter(Signal(), (index) => ({ kind: 'signal', index }));
}
