import { createParamDecorator, type PipeTransform, type Type } from '@nestjs/common';
import { currentCall } from './current-call.js';
import { markParameter } from './mark-parameter.js';

const Input = createParamDecorator((_data: unknown, context) => currentCall(context)?.input);

/**
 * Gives a tool method the whole validated input. Its type is described to the model by the tool's
 * `inputSchema`, or by the parameter's class if that has class-validator decorators.
 *
 * @param pipes run after the validation, as on a controller's parameter
 * @publicApi
 */
export function ToolInput(...pipes: (PipeTransform | Type<PipeTransform>)[]): ParameterDecorator {
  return markParameter(Input(...pipes), (index) => ({ kind: 'input', index }));
}
